import { isObject } from "@editwire/core";
import type { Json } from "./facts.js";

/** The switch of every reference that gives the messages in place of one. */
export type Outgoing = { readonly outgoing: (message: Json) => readonly unknown[] };

/** Picks messages. */
export type Picks = (message: Json) => boolean;

/** Picks the messages of a method. */
export const of =
  (method: string): Picks =>
  (message) =>
    message["method"] === method;

/** Picks answers. */
export const isAnswer: Picks = (message) => !("method" in message);

/** Picks answers that are errors. */
export const isError: Picks = (message) => isObject(message["error"]);

/** Picks requests. */
export const isRequest: Picks = (message) => "method" in message && "id" in message;

/** Changes the messages that a test picks; `undefined` drops one. */
export const rewrite = (picks: Picks, change: (message: Json) => unknown): Outgoing => ({
  outgoing: (message) => (picks(message) ? [change(message)].filter((one) => one !== undefined) : [message]),
});

/** Sends the messages that a test picks twice. */
export const twice = (picks: Picks): Outgoing => ({
  outgoing: (message) => (picks(message) ? [message, message] : [message]),
});

/** A copy without some fields. */
export function without(value: Json, ...fields: readonly string[]): Json {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !fields.includes(key)));
}

/** Sends every error with other fields. */
const withError = (change: (error: Json) => unknown): Outgoing =>
  rewrite(isError, (message) => ({ ...message, error: change(message["error"] as Json) }));

/** Mistakes that any peer that speaks JSON-RPC can make in its messages, for the rows of mutants. */
export const wrong = {
  noVersion: rewrite(
    () => true,
    (message) => without(message, "jsonrpc"),
  ),
  idsAsStrings: rewrite(isAnswer, (message) => ({ ...message, id: String(message["id"]) })),
  answersTwice: twice(isAnswer),
  codesAsWords: withError(() => ({ code: "not_found", message: "no" })),
  errorsWithoutCodes: withError((error) => without(error, "code")),
  errorsWithoutMessages: withError((error) => without(error, "message")),
  onlyAscii: rewrite(
    () => true,
    (message) => JSON.parse(JSON.stringify(message).replace(/[^ -~]/g, "?")) as unknown,
  ),
} as const;
