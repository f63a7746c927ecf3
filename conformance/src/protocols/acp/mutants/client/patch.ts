import type { ClientBehaviour } from "../../reference/client-behaviour.js";

/** Overrides of the reference client, checked by the compiler. */
export const patch = (switches: Partial<ClientBehaviour>): Partial<ClientBehaviour> => switches;
