import { acp as table } from "@editwire/acp-schema";
import { isObject } from "@editwire/core";
import type { PackFacts } from "../../packs/facts.js";
import { type AgentContext, cwd } from "./agent-role.js";
import { example, namesSession, sampleParams } from "./samples.js";

/** The facts about agents of ACP for the shared packs. */
export const agentFacts: PackFacts<AgentContext> = {
  prefix: "acp.agent",
  role: "agent",
  table,
  capabilities: async (t) => (await t.initialized())["agentCapabilities"],
  params: async (t, method) => sampleParams(method, namesSession(method) ? (await t.session()).id : ""),
  optional(method) {
    const full = example(method, "params");
    return isObject(full) && "cwd" in full && !("cwd" in sampleParams(method, "session")) ? { cwd } : {};
  },
};

/** Names the requirement that an agent answers a request which the specification lacks. */
export const answerRequirement = (method: string): string => `ACP-ANSWER-${method}`;
