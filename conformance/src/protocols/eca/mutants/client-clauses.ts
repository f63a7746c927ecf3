import { isAnswer, without, of, twice } from "../../../packs/rewrites.js";
import type { Mutant } from "../../../core/mutant.js";
import { headerMutants } from "../../../packs/header-mutants.js";
import { type ClientBehavior, objectOf, rightClient } from "../reference/client-behavior.js";
import type { Json } from "../reference/server-behavior.js";
import { broken, each, sent } from "./client-patch.js";

const one = ["turn.message"];
const shutdown = ["life.shutdown"];

const query = { id: 9_000, method: "chat/queryCommands", params: { query: "" } };

/** Sends one more message behind those of a method. */
const behind = (method: string, more: Json): Partial<ClientBehavior> => ({
  outgoing: (message) => [message, ...(message["method"] === method ? [{ jsonrpc: "2.0", ...more }] : [])],
});

/** Sends one context of a file with these lines. */
const lines = (start: number, end: number): Partial<ClientBehavior> =>
  sent("chat/prompt", (params) => ({
    ...params,
    contexts: [{ type: "file", path: "/a", linesRange: { start, end } }],
  }));

/** Clients that violate one sentence of the specification each. */
export const clauseMutants: readonly Mutant[] = [
  ...headerMutants("eca.client", ["eca.client.turn.message"], {
    framed: "ECA-FRAME-001",
    form: "ECA-FRAME-002",
    listed: "ECA-FRAME-003",
  }),
  ...broken({
    "results-beside-errors": [
      "RPC-001",
      { outgoing: (message) => [isAnswer(message) ? { ...message, result: null } : message] },
      { collateral: ["RPC-021"], cases: ["rpc.request-*"] },
    ],
    "errors-without-messages": [
      "RPC-002",
      { outgoing: (message) => [isAnswer(message) ? { ...message, error: { code: -32601 } } : message] },
      { collateral: ["RPC-021"], cases: ["rpc.request-*"] },
    ],
    "asks-before-initialize": [
      "LIFE-020",
      {
        outgoing: (message) =>
          message["method"] === "initialize"
            ? [{ jsonrpc: "2.0", id: 9_000, method: "chat/queryCommands", params: { query: "" } }, message]
            : [message],
      },
      { cases: one },
    ],
    "initialized-too-early": [
      "LIFE-020",
      { early: () => rightClient.initialized(), initialized: () => [] },
      { cases: one },
    ],
    "no-folders": [
      "LIFE-021",
      sent("initialize", (params) => without(params, "workspaceFolders")),
      { collateral: ["SCHEMA-initialize:params"], cases: one },
    ],
    "exits-alone": ["LIFE-022", { shutdown: "exit-alone" }, { collateral: ["LIFE-026"] }],
    ...each(
      [
        ["shutdown", "LIFE-027"],
        ["exit", "LIFE-028"],
      ] as const,
      ([method, requirement]) => ({
        [`asks-after-${method}`]: [requirement, behind(method, query), { cases: shutdown }],
      }),
    ),
    "approves-after-a-stop": ["TOOL-031", approvesAfter("chat/promptStop")],
    "approves-in-a-deleted-chat": ["TOOL-020", approvesAfter("chat/delete")],
    "rejects-twice": ["TOOL-020", twice(of("chat/toolCallReject")), { cases: ["tool.reject"] }],
    ...each(["Approve", "Reject"] as const, (word) => ({
      [`${word.toLowerCase()}s-another-call`]: [
        "TOOL-021",
        sent(`chat/toolCall${word}`, (params) => ({ ...params, toolCallId: "another" })),
        { collateral: ["TOOL-020"], cases: [`tool.${word.toLowerCase()}`] },
      ],
    })),
    "rejects-without-chat": [
      "FORM-A11",
      sent("chat/toolCallReject", (params) => without(params, "chatId")),
      { collateral: ["TOOL-020", "TOOL-021"], cases: ["tool.reject"] },
    ],
    "stops-without-chat": [
      "FORM-A11",
      sent("chat/promptStop", (params) => without(params, "chatId")),
      { collateral: ["STOP-020"], cases: ["stop"] },
    ],
    "begins-a-chat-with-every-prompt": [
      "CHAT-022",
      sent("chat/prompt", (params) => without(params, "chatId")),
      { collateral: ["TURN-026"] },
    ],
    "shows-no-messages": ["MSG-020", { showsMessage: () => false }, { collateral: ["MSG-021"] }],
    "shuts-down-with-params": ["FORM-A22", sent("shutdown", () => ({ now: true })), { cases: shutdown }],
    "exits-with-params": ["FORM-A22", sent("exit", () => ({ now: true })), { cases: shutdown }],
    "lines-from-zero": ["FORM-A25", lines(0, 3), { cases: one }],
    "lines-that-end-first": ["FORM-A25", lines(3, 1), { cases: one }],
  }),
];

/** Approves the last call that waited, once it has sent a message of the method, and later an answer. */
function approvesAfter(method: string) {
  return (): Partial<ClientBehavior> => {
    let last: Json | undefined;
    let isOver = false;
    return {
      onContent(params) {
        const { type, manualApproval } = objectOf(params["content"]);
        if (type === "toolCallRun" && manualApproval === true) last = params;
        return "survive";
      },
      outgoing(message) {
        isOver ||= message["method"] === method;
        if (last === undefined || !isOver || !isAnswer(message)) return [message];
        const { chatId, content } = last;
        last = undefined;
        return [message, ...rightClient.decision(String(chatId), objectOf(content)["id"], true)];
      },
    };
  };
}
