import type { ClientBehavior } from "../../reference/client-behavior.js";
import { v1Client } from "../../reference/client-services.js";
import { mutantsOf } from "../../../../core/mutant.js";

/** How the mutants of clients are declared. */
export const { broken, each, benign } = mutantsOf<ClientBehavior>("acp.client", "ACP");

/** The same in the official dialect. */
export const { broken: inV1, benign: benignInV1 } = mutantsOf<ClientBehavior>("acp.client", "ACP", {
  profile: "v1",
  patch: {},
});

/** The same, of clients that offer everything that an agent can ask for. */
export const { broken: offering, benign: benignOffering } = mutantsOf<ClientBehavior>("acp.client", "ACP", {
  profile: "v1",
  patch: v1Client,
});

/** Overrides of the reference client, checked by the compiler. */
export const patch = (switches: Partial<ClientBehavior>): Partial<ClientBehavior> => switches;
