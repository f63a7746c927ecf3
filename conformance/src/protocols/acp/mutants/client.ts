import type { Mutant } from "../../../core/mutant.js";

/** Clients that are broken in one way each. */
export const clientMutants: readonly Mutant[] = [];
