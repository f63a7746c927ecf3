import { isObject } from "@editwire/core";
import type { Rewrite } from "../../../core/protocol.js";
import { remade } from "../../../packs/remade.js";
import type { AgentBehavior } from "../reference/agent-behavior.js";

/** Changes the update of a `session/update`. */
const updates: Rewrite = (override, message) => {
  const { method, params } = message;
  if (method !== "session/update" || !isObject(params) || !isObject(params["update"])) return [message];
  const changed = (override as AgentBehavior["updates"])(params["update"]);
  return changed.map((update) => ({ ...message, params: { ...params, update } }));
};

/** Changes the params of a request for a service of the client. */
const serviceParams: Rewrite = (override, message) => {
  const { method, params } = message;
  if (typeof method !== "string" || !/^(fs|terminal)\//.test(method) || !isObject(params)) return [message];
  return [{ ...message, params: (override as AgentBehavior["serviceParams"])(method, params) }];
};

/** How overrides of the agent's decisions change the messages of any agent. */
export const agentRewrites = { updates, serviceParams };

/** The user's text, if the prompt is nothing else. */
function typed(prompt: unknown): unknown {
  const [block, ...more] = Array.isArray(prompt) ? (prompt as unknown[]) : [];
  return isObject(block) && block["type"] === "text" && more.length === 0 ? block["text"] : prompt;
}

/** How overrides of the client's decisions change the messages of any client. */
export const clientRewrites: Readonly<Record<string, Rewrite>> = {
  initializeParams: remade(["initialize"]),
  sessionParams: remade(["session/new", "session/load"], ({ cwd }) => [cwd]),
  promptParams: remade(["session/prompt"], ({ sessionId, prompt }) => [sessionId, typed(prompt)]),
  setModeParams: remade(["session/set_mode"], ({ sessionId, modeId }) => [sessionId, modeId]),
};
