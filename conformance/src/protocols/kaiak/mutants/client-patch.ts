import type { ClientBehavior } from "../reference/client-behavior.js";
import { mutantsOf } from "../../../core/mutant.js";

/** How the mutants of clients are declared. */
export const { broken, each, benign } = mutantsOf<ClientBehavior>("kaiak.client", "KAIAK");

/** Overrides of the reference client, checked by the compiler. */
export const patch = (switches: Partial<ClientBehavior>): Partial<ClientBehavior> => switches;
