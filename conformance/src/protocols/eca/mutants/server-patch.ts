import { isObject } from "@editwire/core";
import { type Json, rightServer, type ServerBehavior } from "../reference/server-behavior.js";
import { mutantsOf } from "../../../core/mutant.js";

/** How the mutants of servers are declared. */
export const { broken, each, benign } = mutantsOf<ServerBehavior>("eca.server", "ECA");

/** Overrides of the reference server, checked by the compiler. */
export const patch = (switches: Partial<ServerBehavior>): Partial<ServerBehavior> => switches;

/** Changes the contents of one type; `undefined` drops one. */
export const content = (type: string, change: (content: Json) => Json | undefined): Partial<ServerBehavior> =>
  patch({
    contents(role, one) {
      const changed = one["type"] === type ? change(one) : one;
      return changed === undefined ? [] : [{ role, content: changed }];
    },
  });

/** Changes the params of notifications of a method; `undefined` drops one. */
export const notified = (method: string, change: (params: Json) => unknown): Partial<ServerBehavior> =>
  patch({
    outgoing(message) {
      if (message["method"] !== method || !isObject(message["params"])) return [message];
      const params = change(message["params"]);
      return params === undefined ? [] : [{ ...message, params }];
    },
  });

/** Changes the answer to a request that the method table alone answers. */
export const answered = (method: string, result: unknown): Partial<ServerBehavior> =>
  patch({ result: (one, sample) => (one === method ? result : sample) });

/** Changes the answer to `initialize`. */
export const beginning = (change: Json): Partial<ServerBehavior> =>
  patch({ initializeResult: (params) => ({ ...rightServer.initializeResult(params), ...change }) });
