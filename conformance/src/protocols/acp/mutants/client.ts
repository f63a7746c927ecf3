import { mutant } from "../../../core/mutant.js";
import type { ClientBehaviour } from "../reference/client-behaviour.js";

/** Overrides of the reference client, checked by the compiler. */
const patch = (switches: Partial<ClientBehaviour>): Partial<ClientBehaviour> => switches;

/** Clients that are broken in one way each. */
export const clientMutants = [
  mutant("acp.client/leaves-permission-open", {
    violates: ["ACP-CANCEL-005"],
    patch: patch({ permissionAfterCancel: () => undefined }),
  }),
];
