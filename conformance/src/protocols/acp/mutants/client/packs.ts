import { isObject } from "@editwire/core";
import { mutant, type Mutant } from "../../../../core/mutant.js";
import { idMutants } from "../../../../packs/mutants.js";
import { readerOf, takingMutants } from "../../../../packs/taking.js";
import { clientAnswers, clientCalls, clientUpdates } from "../../client-facts.js";
import { rightClient } from "../../reference/client-behavior.js";
import { patch } from "./patch.js";

const cancelMethod = "session/cancel";

/** What the shared packs break in clients, and what clients get wrong with two turns. */
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
  mutant("acp.client/allows-malformed-requests", {
    violates: ["ACP-RPC-030"],
    patch: patch({ permissionProblem: () => undefined }),
    cases: ["acp.client.malformed.*"],
  }),
  mutant("acp.client/cancels-every-session", {
    violates: ["ACP-CANCEL-020"],
    patch: () => {
      const sessions = new Set<unknown>();
      return patch({
        outgoing(message) {
          const { method, params } = message;
          if (method === "session/prompt" && isObject(params)) sessions.add(params["sessionId"]);
          return method === cancelMethod
            ? [...sessions].map((sessionId) => ({ ...message, params: { sessionId } }))
            : [message];
        },
      });
    },
    cases: ["acp.client.two.*"],
  }),
  mutant("acp.client/cancels-once", {
    violates: ["ACP-CANCEL-020"],
    patch: () => {
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
    cases: ["acp.client.two.*"],
  }),
];
