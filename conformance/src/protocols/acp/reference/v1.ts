import { isObject } from "@editwire/core";
import { type AgentBehavior, rightAgent } from "./agent-behavior.js";

/** What the reference agent does to speak the official dialect: it offers `session/list`. */
export const v1Agent: Partial<AgentBehavior> = {
  initializeResult(params) {
    const result = rightAgent.initializeResult(params);
    if (!isObject(result) || !isObject(result["agentCapabilities"])) return result;
    return { ...result, agentCapabilities: { ...result["agentCapabilities"], sessionCapabilities: { list: {} } } };
  },
};
