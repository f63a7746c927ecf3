import type { Mutant } from "../../../core/mutant.js";
import { idMutants } from "../../../packs/mutants.js";
import { serverFacts } from "../server-facts.js";
import { benignServers } from "./server-benign.js";
import { chatMutants } from "./server-chat.js";
import { formMutants } from "./server-form.js";
import { patch } from "./server-patch.js";
import { wireMutants } from "./server-wire.js";

/** Servers that are broken in one way each, and some that are not. */
export const serverMutants: readonly Mutant[] = [
  ...wireMutants,
  ...chatMutants,
  ...formMutants,
  ...idMutants(serverFacts, "ECA-RPC-003", (outgoing) => patch({ outgoing })),
  ...benignServers,
];
