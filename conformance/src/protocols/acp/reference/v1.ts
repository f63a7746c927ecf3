import { table } from "../table.js";
import { isObject, methodsOf } from "@editwire/core";
import { type AgentBehavior, type Json, rightAgent } from "./agent-behavior.js";

/** The capabilities that the method table demands for the methods which the specification lacks. */
const later = methodsOf(table).flatMap(([, { spec, capability }]) =>
  spec === undefined && capability !== undefined ? [capability.split(".")] : [],
);

function declare(capabilities: Json, [key = "", ...rest]: readonly string[]): Json {
  const inner = isObject(capabilities[key]) ? capabilities[key] : {};
  return { ...capabilities, [key]: rest.length === 0 ? {} : declare(inner, rest) };
}

/** What the reference agent does to speak the official dialect: it offers what the specification lacks. */
export const v1Agent: Partial<AgentBehavior> = {
  initializeResult(params) {
    const result = rightAgent.initializeResult(params);
    if (!isObject(result) || !isObject(result["agentCapabilities"])) return result;
    return { ...result, agentCapabilities: later.reduce(declare, result["agentCapabilities"]) };
  },
};
