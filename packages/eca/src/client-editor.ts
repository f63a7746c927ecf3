import type {
  ChatAskQuestionParams,
  EditorDiagnostic,
  EditorLocation,
  EditorLocationResult,
  Position,
} from "@editwire/eca-schema";
import { failedToAnswer, type Listeners, Questions } from "@editwire/session";
import type { ClientSession } from "./client-session.js";
import type { EcaSession } from "./client-session-api.js";
import type { EcaClientMethods, EcaClientOptions } from "./client.js";

/**
 * Answers a question of the server to the user, in `v2026`. `undefined`, and what it throws, cancels the question.
 * `signal` aborts when the server cancels the question, or the turn is cancelled or ends.
 */
export type EcaQuestionHandler = (
  question: ChatAskQuestionParams,
  context: { readonly session: EcaSession | undefined; readonly signal: AbortSignal },
) => string | undefined | Promise<string | undefined>;

/** Returns the problems in a file, or in all files without a `uri`, in `v2026`. Lines count from 0. */
export type DiagnosticsHandler = (
  uri: string | undefined,
  context: { readonly signal: AbortSignal },
) => readonly EditorDiagnostic[] | Promise<readonly EditorDiagnostic[]>;

/** A place in a file. Lines and characters count from 1. */
export interface EditorPlace {
  readonly uri: string;
  readonly position: Position;
  /** For references: whether the definition is one of them. */
  readonly includeDeclaration?: boolean | undefined;
}

/**
 * Where a symbol is, or why the editor cannot know: its language server is starting (the server asks again), or none.
 */
export type EditorLocations = readonly EditorLocation[] | "starting" | "no-server";

/** Returns where the symbol at a place is defined or used, in `v2026`. */
export type LocationsHandler = (
  place: EditorPlace,
  context: { readonly signal: AbortSignal },
) => EditorLocations | Promise<EditorLocations>;

/** The handlers of what a server asks the editor. */
export function editorMethods(
  options: Pick<EcaClientOptions, "question" | "diagnostics" | "definition" | "references">,
  sessionOf: (id: string) => ClientSession | undefined,
  onError: Listeners["onError"],
): EcaClientMethods {
  const { question, diagnostics, definition, references } = options;
  return {
    ...(question && questionMethod(question, sessionOf, onError)),
    ...(diagnostics && {
      "editor/getDiagnostics": async ({ uri }, { signal }) => ({
        diagnostics: [...(await diagnostics(uri, { signal }))],
      }),
    }),
    ...(definition && { "editor/getDefinition": located(definition) }),
    ...(references && { "editor/getReferences": located(references) }),
  };
}

function located(handler: LocationsHandler) {
  return async (place: EditorPlace, { signal }: { readonly signal: AbortSignal }): Promise<EditorLocationResult> => {
    const found = await handler(place, { signal });
    return typeof found === "string" ? { status: found } : { status: "success", locations: [...found] };
  };
}

function questionMethod(
  question: EcaQuestionHandler,
  sessionOf: (id: string) => ClientSession | undefined,
  onError: Listeners["onError"],
): EcaClientMethods {
  const questions = new Questions<ChatAskQuestionParams, string | null>({
    async handler(asked, { signal }) {
      const session = sessionOf(asked.chatId);
      await session?.handed();
      return signal.aborted ? null : ((await question(asked, { session, signal })) ?? null);
    },
    cancelled: null,
    rejected: null,
    onError: (error) => onError(error, "chat/askQuestion", failedToAnswer("question", "the question is cancelled")),
  });
  return {
    async "chat/askQuestion"(asked, { signal }) {
      const answer = await questions.ask(asked, [signal, ...(sessionOf(asked.chatId)?.signals ?? [])]);
      return { answer, cancelled: answer === null };
    },
  };
}
