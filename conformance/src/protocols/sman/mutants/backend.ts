import type { Mutant } from "../../../core/mutant.js";
import { callMutants } from "./backend-calls.js";
import { resultMutants } from "./backend-results.js";

/** Every mutant of the reference backend. */
export const backendMutants: readonly Mutant[] = [...callMutants, ...resultMutants];
