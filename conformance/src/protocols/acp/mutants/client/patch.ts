import type { Json } from "../../reference/agent-behaviour.js";
import type { ClientBehaviour } from "../../reference/client-behaviour.js";

/** Overrides of the reference client, checked by the compiler. */
export const patch = (switches: Partial<ClientBehaviour>): Partial<ClientBehaviour> => switches;

/** Changes the messages that a test picks; `undefined` drops one. */
export const rewrite = (picks: (message: Json) => boolean, change: (message: Json) => unknown): Partial<ClientBehaviour> =>
  patch({ outgoing: (message) => (picks(message) ? [change(message)].filter((one) => one !== undefined) : [message]) });

/** Picks the messages of a method. */
export const of =
  (method: string) =>
  (message: Json): boolean =>
    message["method"] === method;

/** Picks answers. */
export const answers = (message: Json): boolean => !("method" in message);

/** Picks requests. */
export const requests = (message: Json): boolean => "method" in message && "id" in message;
