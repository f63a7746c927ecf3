import { isRemoteError } from "@editwire/core";
import type { EcaServerConnection, EcaServerMethods } from "@editwire/eca";
import type { CompletionInlineParams, FeatureError, RewriteContent, RewritePromptParams } from "@editwire/eca-schema";
import type { Model } from "@editwire/example-coding-agent";

/** What completing and rewriting code need. */
export interface CodeParts {
  readonly modelName: string;
  /** Throws a `RemoteError` for the user when nobody is signed in. */
  readonly model: () => Model;
  /** Aborts when the server ends. */
  readonly signal: AbortSignal;
  readonly connection: () => EcaServerConnection | undefined;
  readonly log: (text: string) => void;
}

/** Marks the cursor in the text that the model completes. */
const cursor = "<|cursor|>";

const plainAnswer = "and nothing else: no explanation, no code fence";
const completing =
  `You complete code. The user sends a file in which ${cursor} marks the cursor. Answer with the text to insert there ` +
  `${plainAnswer}. Answer with nothing when the code is complete.`;
const rewriting =
  "You rewrite code. The user sends an instruction and the selected code. Answer with the new code " +
  `${plainAnswer}.`;

/** Completion at the cursor, and rewriting of a selection. */
export function codeMethods(parts: CodeParts): EcaServerMethods {
  return {
    async "completion/inline"(params, { signal }) {
      try {
        const text = unfenced(
          await answer(parts, completing, withCursor(params), AbortSignal.any([signal, parts.signal])),
        );
        const { docVersion, position } = params;
        return { items: text === "" ? [] : [{ text, docVersion, range: { start: position, end: position } }] };
      } catch (error) {
        return failureOf(error);
      }
    },
    "rewrite/prompt"(params) {
      try {
        parts.model();
      } catch (error) {
        return failureOf(error);
      }
      void rewrite(parts, params);
      return { status: "prompting", model: parts.modelName };
    },
  };
}

/** Streams the new text to the editor, and then its end, whichever way it ends. */
async function rewrite(parts: CodeParts, { id, text, prompt, path }: RewritePromptParams): Promise<void> {
  const started = performance.now();
  const send = (content: RewriteContent): void =>
    parts.connection()?.notify("rewrite/contentReceived", { rewriteId: id, content });
  send({ type: "started" });
  try {
    const asked = `${prompt}\n\n${path === undefined ? "" : `From ${path}:\n\n`}${text}`;
    const written = await answer(parts, rewriting, asked, parts.signal, (piece) => send({ type: "text", text: piece }));
    const clean = unfenced(written);
    if (clean !== written) send({ type: "replace", text: clean });
    send({ type: "finished", totalTimeMs: Math.round(performance.now() - started) });
  } catch (error) {
    if (!isRemoteError(error)) parts.log(`rewrite/prompt: ${String(error)}`);
    send({ type: "error", message: isRemoteError(error) ? error.message : "Internal error" });
  }
}

async function answer(
  { model }: CodeParts,
  system: string,
  asked: string,
  signal: AbortSignal,
  text: (piece: string) => void = () => {},
): Promise<string> {
  const messages = [
    { role: "system" as const, content: system },
    { role: "user" as const, content: asked },
  ];
  const reply = await model().reply({ messages, tools: [] }, { text, thought() {} }, signal);
  signal.throwIfAborted();
  return reply.text;
}

/** Editors count lines and characters from 1. A position outside of the text is moved into it. */
function withCursor({ docText, position }: CompletionInlineParams): string {
  const lines = docText.split("\n");
  const index = Math.min(Math.max(position.line - 1, 0), lines.length - 1);
  const line = lines[index] ?? "";
  const at = Math.min(Math.max(position.character - 1, 0), line.length);
  return lines.with(index, `${line.slice(0, at)}${cursor}${line.slice(at)}`).join("\n");
}

/** The text without the code fence that some models put around it. */
function unfenced(text: string): string {
  return /^\s*```[^\n]*\n([^]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
}

/** What the user is shown. Throws anything else than what is meant for the user. */
function failureOf(error: unknown): FeatureError {
  if (isRemoteError(error)) return { type: "error", message: error.message };
  throw error;
}
