import type { Mutant } from "../../../core/mutant.js";
import { idMutants } from "../../../packs/mutants.js";
import { readerOf, takingMutants } from "../../../packs/taking.js";
import { clientAnswers, clientCalls, clientNews } from "../client-facts.js";
import { rightClient } from "../reference/client-behavior.js";
import { broken, patch } from "./client-patch.js";

/** Mutants of clients from the shared packs, and faults of clients with two turns. */
export const packMutants: readonly Mutant[] = [
  ...takingMutants({
    notifications: clientNews,
    answers: clientAnswers,
    calls: clientCalls,
    alive: "editor/getDiagnostics",
    patch: (take) => patch({ reader: readerOf(take), noise: () => "die" }),
    results: {
      believed: patch({ resultProblem: () => undefined }),
      awaited: patch({
        resultProblem: (...answer) => (rightClient.resultProblem(...answer) === undefined ? undefined : null),
      }),
    },
  }),
  ...idMutants(clientAnswers, "ECA-RPC-003", (outgoing) => patch({ outgoing })),
  ...broken({
    "unknown-requests-succeed": ["RPC-024", { answers: () => ({}) }],
  }),
];
