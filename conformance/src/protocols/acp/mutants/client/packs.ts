import type { Mutant } from "../../../../core/mutant.js";
import { idMutants } from "../../../../packs/mutants.js";
import { readerOf, takingMutants } from "../../../../packs/taking.js";
import { clientAnswers, clientCalls, clientUpdates } from "../../client-facts.js";
import { rightClient } from "../../reference/client-behavior.js";
import { broken, patch } from "./patch.js";

const cancelMethod = "session/cancel";

/** Mutants of clients from the shared packs, and faults of clients with two turns. */
export const packMutants: readonly Mutant[] = [
  ...takingMutants({
    notifications: clientUpdates,
    answers: clientAnswers,
    calls: clientCalls,
    patch: (take) => patch({ reader: readerOf(take), badBytes: () => "die" }),
    results: {
      believed: patch({ resultProblem: () => undefined }),
      awaited: patch({
        resultProblem: (...answer) => (rightClient.resultProblem(...answer) === undefined ? undefined : null),
      }),
    },
  }),
  ...idMutants(clientAnswers, "ACP-RPC-003", (outgoing) => patch({ outgoing })),
  ...broken({
    "allows-malformed-requests": ["RPC-030", { permissionProblem: () => undefined }],
    "cancels-once": [
      "CANCEL-020",
      () => {
        let sent = false;
        return patch({
          outgoing(message) {
            if (message["method"] !== cancelMethod) return [message];
            const messages = sent ? [] : [message];
            sent = true;
            return messages;
          },
        });
      },
      { cases: ["two.*"] },
    ],
  }),
];
