import type { ChatAskQuestionParams, EditorDiagnostic } from "@editwire/eca-schema";
import type { ClientSession, EcaSession } from "./client-session.js";
import type { EcaClientMethods, EcaClientOptions } from "./client.js";

/**
 * Answers what the server asks the user in a turn, in `v2026`; without an answer, or when it throws, the question counts as
 * cancelled. `signal` aborts when the server takes the question back, or the turn is stopped.
 */
export type QuestionHandler = (
  question: ChatAskQuestionParams,
  context: { readonly chat: EcaSession | undefined; readonly signal: AbortSignal },
) => string | undefined | Promise<string | undefined>;

/** Tells what is wrong in a file, or in all without a `uri`, in `v2026`. Lines count from 0. */
export type DiagnosticsHandler = (
  uri: string | undefined,
  context: { readonly signal: AbortSignal },
) => readonly EditorDiagnostic[] | Promise<readonly EditorDiagnostic[]>;

/** The handlers of what a server asks the editor. */
export function editorMethods(
  { question, diagnostics, onError }: EcaClientOptions,
  chatOf: (id: string) => ClientSession | undefined,
): EcaClientMethods {
  return {
    ...(question && {
      async "chat/askQuestion"(asked, context) {
        const chat = chatOf(asked.chatId);
        const signal = chat === undefined ? context.signal : AbortSignal.any([context.signal, chat.signal]);
        try {
          const answer = await question(asked, { chat, signal });
          return { answer: answer ?? null, cancelled: answer === undefined };
        } catch (error) {
          onError?.(error, "chat/askQuestion");
          return { answer: null, cancelled: true };
        }
      },
    }),
    ...(diagnostics && {
      "editor/getDiagnostics": async ({ uri }, { signal }) => ({
        diagnostics: [...(await diagnostics(uri, { signal }))],
      }),
    }),
  };
}
