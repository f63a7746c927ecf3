import { isObject } from "@editwire/core";
import type { Json, Refusal, ServerBehavior } from "../reference/server-behavior.js";
import { mutantsOf } from "../../../core/mutant.js";

/** How the mutants of servers are declared. */
export const { broken, each, benign } = mutantsOf<ServerBehavior>("kaiak.server", "KAIAK");

/** Overrides of the reference server, checked by the compiler. */
export const patch = (switches: Partial<ServerBehavior>): Partial<ServerBehavior> => switches;

/** Changes the params of the notifications of one kind; `undefined` drops one. */
export const sent = (kind: string, change: (params: Json) => unknown): Partial<ServerBehavior> =>
  patch({
    outgoing(message) {
      if (message["method"] !== `kaiak/stream/${kind}` || !isObject(message["params"])) return [message];
      const params = change(message["params"]);
      return params === undefined ? [] : [{ ...message, params }];
    },
  });

/** Changes the content of the notifications of one kind; `undefined` drops one. */
export const content = (kind: string, change: (content: Json) => Json | undefined): Partial<ServerBehavior> =>
  sent(kind, (params) => {
    const changed = change(isObject(params["content"]) ? params["content"] : {});
    return changed && { ...params, content: changed };
  });

/** Changes the result of a method. */
export const answered = (method: string, change: (result: Json) => unknown): Partial<ServerBehavior> =>
  patch({ result: (one, result) => (one === method && isObject(result) ? change(result) : result) });

/** Changes the errors with a code. */
export const refused = (code: number, change: (error: Json) => unknown): Partial<ServerBehavior> =>
  patch({
    outgoing(message) {
      const { error } = message;
      return [isObject(error) && error["code"] === code ? { ...message, error: change(error) } : message];
    },
  });

/** Another code in the place of one. */
export const recoded = (code: number, other = -32000): Partial<ServerBehavior> =>
  refused(code, (error) => ({ ...error, code: other }));

/** Another method in the place of one that a message names. */
export const misnamed =
  (method: string, other: string) =>
  (message: Json): readonly unknown[] => [message["method"] === method ? { ...message, method: other } : message];

/** A refusal. */
export const refusal = (code: number): Refusal => ({ code, message: "no" });
