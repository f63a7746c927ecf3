import type { ClientBehavior } from "../reference/client-behavior.js";

/** Overrides of the reference client, checked by the compiler. */
export const patch = (switches: Partial<ClientBehavior>): Partial<ClientBehavior> => switches;
