import type { Json } from "../reference/agent-behavior.js";

/** Changes the messages that a test picks; `undefined` drops one. */
export const rewrite = (
  picks: (message: Json) => boolean,
  change: (message: Json) => unknown,
): { outgoing(message: Json): readonly unknown[] } => ({
  outgoing: (message) => (picks(message) ? [change(message)].filter((one) => one !== undefined) : [message]),
});

/** Picks the messages of a method. */
export const of =
  (method: string) =>
  (message: Json): boolean =>
    message["method"] === method;

/** Picks answers. */
export const answers = (message: Json): boolean => !("method" in message);

/** Picks requests. */
export const requests = (message: Json): boolean => "method" in message && "id" in message;
