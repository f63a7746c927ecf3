import type { AgentBehaviour } from "../../reference/agent-behaviour.js";

/** Overrides of the reference agent, checked by the compiler. */
export const patch = (switches: Partial<AgentBehaviour>): Partial<AgentBehaviour> => switches;
