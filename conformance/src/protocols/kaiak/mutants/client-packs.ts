import { isObject } from "@editwire/core";
import { mutant, type Mutant } from "../../../core/mutant.js";
import { idMutants } from "../../../packs/mutants.js";
import { readerOf, type Taken, takingMutants } from "../../../packs/taking.js";
import { clientAnswers, clientCalls, clientNotes } from "../client-facts.js";
import { rightClient } from "../reference/client-behavior.js";
import type { Json } from "../reference/server-behavior.js";
import { patch } from "./client-patch.js";

const two = ["kaiak.client.two.*"];
const cancelRequest = "$/cancelRequest";

/** The content of a notification of a run. */
function noteContent({ params }: Json): Json {
  const content = isObject(params) ? params["content"] : undefined;
  return isObject(content) ? content : {};
}

/** Reads the contents of one kind in another way. */
function changedNote(message: Json, kind: string, change: (content: Json) => Json): Taken {
  const { method, params } = message;
  if (method !== `kaiak/stream/${kind}` || !isObject(params)) return "take";
  return { ...message, params: { ...params, content: change(noteContent(message)) } };
}

/** What the shared packs break in clients, and what clients get wrong in what they read. */
export const packMutants: readonly Mutant[] = [
  ...(
    [
      ["trims-texts", "ai_response", (content) => ({ ...content, text: String(content["text"]).trim() })],
      [
        "texts-in-ascii",
        "ai_response",
        (content) => ({ ...content, text: String(content["text"]).replace(/[^ -~]/g, "?") }),
      ],
      ["tools-never-end", "tool_call", (content) => ({ ...content, status: "pending" })],
    ] satisfies readonly (readonly [string, string, (content: Json) => Json])[]
  ).map(([name, kind, change]) =>
    mutant(`kaiak.client/${name}`, {
      violates: ["KAIAK-CALL-021"],
      cases: ["kaiak.client.run.order"],
      patch: patch({ reader: readerOf((message) => changedNote(message, kind, change)) }),
    }),
  ),
  mutant("kaiak.client/drops-repeated-texts", {
    violates: ["KAIAK-CALL-021"],
    cases: ["kaiak.client.run.order"],
    patch: () => {
      let before: unknown;
      const take = (message: Json): Taken => {
        const text =
          message["method"] === "kaiak/stream/ai_response" ? JSON.stringify(noteContent(message)["text"]) : "";
        if (text !== "" && text === before) return "overlook";
        before = text;
        return "take";
      };
      return patch({ reader: readerOf(take) });
    },
  }),
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
  mutant("kaiak.client/unknown-requests-are-invalid", {
    violates: ["KAIAK-RPC-023"],
    cases: ["kaiak.client.unknown-method.*"],
    patch: patch({ unknownRequest: () => ({ code: -32600, message: "invalid" }) }),
  }),
  mutant("kaiak.client/cancels-every-run", {
    violates: ["KAIAK-CALL-034"],
    cases: two,
    patch: () => {
      const runs = new Set<number>();
      return patch({
        cancel(id) {
          for (let one = 1; one <= id + 1; one++) runs.add(one);
          return [...runs].map((one) => ({ jsonrpc: "2.0", method: cancelRequest, params: { id: one } }));
        },
      });
    },
  }),
  mutant("kaiak.client/cancels-once", {
    violates: ["KAIAK-CALL-034"],
    cases: two,
    patch: () => {
      let sent = false;
      return patch({
        cancel(id) {
          const messages = sent ? [] : rightClient.cancel(id);
          sent = true;
          return messages;
        },
      });
    },
  }),
];
