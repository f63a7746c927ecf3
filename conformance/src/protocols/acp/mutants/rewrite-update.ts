import { isObject } from "@editwire/core";
import type { Rewrite } from "../../../core/protocol.js";
import type { AgentBehavior } from "../reference/agent-behavior.js";

/** Changes the update of a `session/update` as an override of the reference's `updates` says. */
export const rewriteUpdate: Rewrite = (override, message) => {
  const { method, params } = message;
  if (method !== "session/update" || !isObject(params) || !isObject(params["update"])) return [message];
  const updates = (override as AgentBehavior["updates"])(params["update"]);
  return updates.map((update) => ({ ...message, params: { ...params, update } }));
};
