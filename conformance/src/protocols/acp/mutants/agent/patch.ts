import type { AgentBehavior } from "../../reference/agent-behavior.js";
import { v1Agent } from "../../reference/v1.js";
import { mutantsOf } from "../../../../core/mutant.js";

/** How the mutants of agents are declared. */
export const { broken, each, benign } = mutantsOf<AgentBehavior>("acp.agent", "ACP");

/** The same in the official dialect. */
export const { broken: inV1, benign: benignInV1 } = mutantsOf<AgentBehavior>("acp.agent", "ACP", {
  profile: "v1",
  patch: v1Agent,
});

/** Overrides of the reference agent, checked by the compiler. */
export const patch = (switches: Partial<AgentBehavior>): Partial<AgentBehavior> => switches;
