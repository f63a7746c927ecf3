import { isObject } from "@editwire/core";
import type { Mutant } from "../../../core/mutant.js";
import { idMutants } from "../../../packs/mutants.js";
import { readerOf, takingMutants } from "../../../packs/taking.js";
import { clientAnswers, clientCalls, clientNews } from "../client-facts.js";
import { rightClient } from "../reference/client-behavior.js";
import { broken, patch } from "./client-patch.js";

const stop = "chat/promptStop";
const cases = ["two.*"];

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
    "unknown-requests-succeed": ["RPC-024", { answers: () => ({}) }, { cases: ["unknown-method.*"] }],
    "stops-every-chat": [
      "STOP-020",
      () => {
        const chats = new Set<unknown>();
        return patch({
          outgoing: (message) =>
            message["method"] === stop ? [...chats].map((chatId) => ({ ...message, params: { chatId } })) : [message],
          resultProblem(method, result) {
            if (method === "chat/prompt" && isObject(result)) chats.add(result["chatId"]);
            return undefined;
          },
        });
      },
      { cases },
    ],
    "stops-once": [
      "STOP-020",
      () => {
        let sent = false;
        return patch({
          outgoing(message) {
            if (message["method"] !== stop) return [message];
            const messages = sent ? [] : [message];
            sent = true;
            return messages;
          },
        });
      },
      { cases },
    ],
  }),
];
