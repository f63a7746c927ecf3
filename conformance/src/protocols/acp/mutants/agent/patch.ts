import type { AgentBehavior } from "../../reference/agent-behavior.js";

/** Overrides of the reference agent, checked by the compiler. */
export const patch = (switches: Partial<AgentBehavior>): Partial<AgentBehavior> => switches;
