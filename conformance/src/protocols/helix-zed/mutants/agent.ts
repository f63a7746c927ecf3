import type { Mutant } from "../../../core/mutant.js";

/** Every broken agent, and the odd ones that are right. */
export const agentMutants: readonly Mutant[] = [];
