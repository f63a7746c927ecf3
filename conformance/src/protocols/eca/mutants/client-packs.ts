import { isObject } from "@editwire/core";
import { mutant, type Mutant } from "../../../core/mutant.js";
import { idMutants } from "../../../packs/mutants.js";
import { readerOf, takingMutants } from "../../../packs/taking.js";
import { clientAnswers, clientCalls, clientNews } from "../client-facts.js";
import { rightClient } from "../reference/client-behavior.js";
import { patch } from "./client-patch.js";

const stop = "chat/promptStop";
const cases = ["eca.client.two.*"];

/** What the shared packs break in clients, and what clients get wrong with two turns. */
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
  mutant("eca.client/unknown-requests-succeed", {
    violates: ["ECA-RPC-024"],
    cases: ["eca.client.unknown-method.*"],
    patch: patch({ answers: () => ({}) }),
  }),
  mutant("eca.client/stops-every-chat", {
    violates: ["ECA-STOP-020"],
    cases,
    patch: () => {
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
  }),
  mutant("eca.client/stops-once", {
    violates: ["ECA-STOP-020"],
    cases,
    patch: () => {
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
  }),
];
