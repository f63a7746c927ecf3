import { isObject } from "@editwire/core";
import type { Mutant } from "../../../core/mutant.js";
import { idMutants } from "../../../packs/mutants.js";
import { readerOf, type Taken, takingMutants } from "../../../packs/taking.js";
import { clientAnswers, clientCalls, clientNotes } from "../client-facts.js";
import { rightClient } from "../reference/client-behavior.js";
import type { Json } from "../reference/server-behavior.js";
import { broken, each, patch } from "./client-patch.js";

const two = ["two.*"];
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

/** Mutants of clients from the shared packs, and faults of clients in reading. */
export const packMutants: readonly Mutant[] = [
  ...broken({
    ...each(
      [
        ["trims-texts", "ai_response", (content) => ({ ...content, text: String(content["text"]).trim() })],
        [
          "texts-in-ascii",
          "ai_response",
          (content) => ({ ...content, text: String(content["text"]).replace(/[^ -~]/g, "?") }),
        ],
        ["tools-never-end", "tool_call", (content) => ({ ...content, status: "pending" })],
      ] satisfies readonly (readonly [string, string, (content: Json) => Json])[],
      ([name, kind, change]) => ({
        [name]: [
          "CALL-021",
          { reader: readerOf((message) => changedNote(message, kind, change)) },
          { cases: ["run.order"] },
        ],
      }),
    ),
    "drops-repeated-texts": [
      "CALL-021",
      () => {
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
      { cases: ["run.order"] },
    ],
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
  ...broken({
    "unknown-requests-are-invalid": [
      "RPC-023",
      { unknownRequest: () => ({ code: -32600, message: "invalid" }) },
      { cases: ["unknown-method.*"] },
    ],
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
      { cases: two },
    ],
    "cancels-the-first-run": [
      "CALL-034",
      () => {
        const runs: number[] = [];
        return patch({
          outgoing(message) {
            const { id, params } = message;
            if (isObject(params) && params["command"] === "kaiak/generate_fix") runs.push(Number(id));
            return [message];
          },
          cancel: (id) => rightClient.cancel(runs.shift() ?? id),
        });
      },
      { cases: ["two.cancel-one"] },
    ],
    "cancels-once": [
      "CALL-034",
      () => {
        let sent = false;
        return patch({
          cancel(id) {
            const messages = sent ? [] : rightClient.cancel(id);
            sent = true;
            return messages;
          },
        });
      },
      { cases: two },
    ],
  }),
];
