import type { ModelConversation } from "./conversation.js";
import type { ModelAnswer } from "./script.js";

/** A call of an answer, with the id that its result comes back under. */
export interface ReplyCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** An answer as every API needs it: its text in pieces, with ids and a count of tokens. */
export interface Reply {
  readonly model: string;
  /** Unlike that of any other answer of the model. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly think: readonly string[];
  readonly say: readonly string[];
  readonly calls: readonly ReplyCall[];
  readonly finish: NonNullable<ModelAnswer["finish"]>;
  readonly usage: { readonly input: number; readonly output: number };
}

/** Prepares the answer to a request with this number. No two calls share their id, in whatever conversation. */
export function replyOf(
  { model, messages }: ModelConversation,
  { think = "", say = "", calls = [], finish }: ModelAnswer,
  number: number,
): Reply {
  const pieces = typeof say === "string" ? wordsOf(say) : say;
  return {
    model,
    id: `${number}`,
    created: Math.floor(Date.now() / 1000),
    think: wordsOf(think),
    say: pieces,
    calls: calls.map((call, index) => ({ ...call, id: `call_${number}_${index}` })),
    finish: finish ?? (calls.length > 0 ? "tool_calls" : "stop"),
    usage: {
      input: tokensOf(messages),
      output: tokensOf(think + pieces.join("") + (calls.length > 0 ? JSON.stringify(calls) : "")),
    },
  };
}

/** Splits text the way a model's tokens do: short pieces, whitespace in front. The pieces join to the text. */
export function wordsOf(text: string): string[] {
  return text.match(/\s*\S{1,12}|\s+$/gu) ?? [];
}

/** The arguments of a call as JSON, in pieces that join to it. */
export function jsonPiecesOf({ args }: ReplyCall): string[] {
  return JSON.stringify(args).match(/[\s\S]{1,12}/gu) ?? [];
}

/** Four characters count as a token. */
export function tokensOf(value: unknown): number {
  return Math.ceil((typeof value === "string" ? value : JSON.stringify(value)).length / 4);
}
