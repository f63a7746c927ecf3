import type { Mutant } from "../../../core/mutant.js";
import { idMutants } from "../../../packs/mutants.js";
import { readerOf, takingMutants } from "../../../packs/taking.js";
import { clientAnswers, clientCalls, clientNotes } from "../client-facts.js";
import { rightClient } from "../reference/client-behavior.js";
import { broken, patch } from "./client-patch.js";

const cancelRequest = "$/cancelRequest";

/** Mutants of clients from the shared packs, and faults of clients in reading. */
export const packMutants: readonly Mutant[] = [
  ...takingMutants({
    notifications: clientNotes,
    answers: clientAnswers,
    calls: clientCalls,
    patch: (take) => patch({ reader: readerOf(take), noise: () => "die" }),
    results: {
      believed: patch({ resultProblem: () => undefined }),
      awaited: patch({
        resultProblem: (...answer) => (rightClient.resultProblem(...answer) === undefined ? undefined : null),
      }),
    },
  }),
  ...idMutants(clientAnswers, "KAIAK-RPC-003", (outgoing) => patch({ outgoing })),
  ...broken({
    "unknown-requests-are-invalid": ["RPC-023", { unknownRequest: () => ({ code: -32600, message: "invalid" }) }],
    "cancels-every-run": [
      "CALL-034",
      () => {
        const runs = new Set<number>();
        return patch({
          cancel(id) {
            for (let one = 1; one <= id + 1; one++) runs.add(one);
            return [...runs].map((one) => ({ jsonrpc: "2.0", method: cancelRequest, params: { id: one } }));
          },
        });
      },
    ],
  }),
];
