import { isObject } from "@editwire/core";
import { type ClientBehavior, rightClient } from "../reference/client-behavior.js";
import type { Json } from "../reference/server-behavior.js";
import { mutantsOf } from "../../../core/mutant.js";

/** How the mutants of clients are declared. */
export const { broken, each, benign } = mutantsOf<ClientBehavior>("eca.client", "ECA");

/** Overrides of the reference client, checked by the compiler. */
export const patch = (switches: Partial<ClientBehavior>): Partial<ClientBehavior> => switches;

/** Changes the params of messages of a method; `undefined` leaves them out. */
export const sent = (method: string, change: (params: Json) => unknown): Partial<ClientBehavior> =>
  patch({
    outgoing(message) {
      if (message["method"] !== method) return [message];
      const params = change(isObject(message["params"]) ? message["params"] : {});
      const { params: _, ...others } = message;
      return [params === undefined ? others : { ...others, params }];
    },
  });

/** Changes what is sent with `initialize`. */
export const beginning = (change: Json): Partial<ClientBehavior> =>
  patch({ initializeParams: () => ({ ...rightClient.initializeParams(), ...change }) });
