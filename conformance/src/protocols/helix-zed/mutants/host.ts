import type { Mutant } from "../../../core/mutant.js";

/** Every broken host, and the odd ones that are right. */
export const hostMutants: readonly Mutant[] = [];
