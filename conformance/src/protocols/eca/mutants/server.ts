import type { Mutant } from "../../../core/mutant.js";
import { atOnceMutants } from "../../../packs/at-once.js";
import { idMutants } from "../../../packs/mutants.js";
import { GIVES_UP, readerOf, takingMutants } from "../../../packs/taking.js";
import { serverFacts, serverNews } from "../server-facts.js";
import { benignServers } from "./server-benign.js";
import { chatMutants } from "./server-chat.js";
import { clauseMutants } from "./server-clauses.js";
import { declaredServers } from "./declared.js";
import { formMutants } from "./server-form.js";
import { rightServer } from "../reference/server-behavior.js";
import { patch } from "./server-patch.js";
import { queryMutants } from "./server-query.js";
import { wireMutants } from "./server-wire.js";

/** Servers that are broken in one way each, and some that are not. */
export const serverMutants: readonly Mutant[] = [
  ...wireMutants,
  ...chatMutants,
  ...queryMutants,
  ...formMutants,
  ...clauseMutants,
  ...declaredServers,
  ...idMutants(serverFacts, "ECA-RPC-003", (outgoing) => patch({ outgoing })),
  ...takingMutants({
    notifications: serverNews,
    answers: serverFacts,
    patch: (take) =>
      patch({
        reader: readerOf(take),
        notJson: (problem) => (problem === GIVES_UP ? "die" : rightServer.notJson()),
      }),
  }),
  ...atOnceMutants(serverFacts, (outgoing) => patch({ outgoing })),
  ...benignServers,
];
