import type { Rewrite } from "../../../core/protocol.js";
import { carrier } from "../envelope.js";
import type { ClientBehavior } from "../reference/client-behavior.js";
import { objectOf } from "../reference/server-behavior.js";

/** Changes the call of a command as an override of the reference's `wrap` says. */
export const rewriteCall: Rewrite = (override, message) => {
  const { command, arguments: list } = objectOf(message["params"]);
  if (message["method"] !== carrier || typeof command !== "string" || !Array.isArray(list)) return [message];
  return [{ ...message, ...(override as ClientBehavior["wrap"])(command, objectOf(list[0])) }];
};
