import { isAnswer, without } from "../../../packs/rewrites.js";
import { isObject } from "@editwire/core";
import type { Mutant } from "../../../core/mutant.js";
import { headerMutants } from "../../../packs/header-mutants.js";
import { headersLike, latin1 } from "../../../packs/readers.js";
import { readerOf } from "../../../packs/taking.js";
import { type Json, rightServer, type ServerBehavior } from "../reference/server-behavior.js";
import { beginning, broken, each, content, notified, patch } from "./server-patch.js";

const life = ["life.native-tools"];
const echo = ["turn.echo"];
const runs = ["tool.runs"];
const reason = ["turn.reason"];

const wire: readonly Mutant[] = [
  ...headerMutants("eca.server", ["eca.server.turn.echo"], {
    framed: "ECA-FRAME-001",
    form: "ECA-FRAME-002",
    listed: "ECA-FRAME-003",
  }),
  ...broken({
    "content-type-comes-last": ["FRAME-005", { reader: headersLike(/^(?!content-type)/i) }],
    "takes-no-charset": ["FRAME-005", { reader: headersLike(/^(?![^]*charset)/) }],
    "demands-a-charset": ["FRAME-005", { reader: headersLike(/charset|^Content-Length: ?\d+$/i) }],
    "reads-latin-1": ["FRAME-007", { reader: latin1 }, { cases: ["framing.bytes"] }],
    "errors-beside-results": [
      "RPC-001",
      { outgoing: (message) => ["result" in message ? { ...message, error: null } : message] },
      { cases: ["life.initialize"] },
    ],
    "errors-without-messages": [
      "RPC-002",
      { outgoing: (message) => [isObject(message["error"]) ? { ...message, error: { code: -32601 } } : message] },
      { collateral: ["RPC-006"], cases: ["unknown-method.vendor"] },
    ],
    "one-id-for-all-requests": [
      "RPC-005",
      { announces: () => [1, 2].map(() => ({ jsonrpc: "2.0", id: 77, method: "vendor/ask", params: {} })) },
      { cases: life },
    ],
  }),
];

const begins: readonly Mutant[] = broken({
  ...each(["models", "chatDefaultModel", "chatBehaviors", "chatDefaultBehavior"], (field) => ({
    [`begins-without-${field}`]: ["LIFE-001", beginning({ [field]: undefined }), { collateral: ["LIFE-014"] }],
  })),
  "asks-early": ["LIFE-005", asksEarly, { cases: life }],
  ...each(["shutdown", "exit"], (demanding) => ({
    [`${demanding}-demands-params`]: [
      "LIFE-006",
      { noParams: (params, method) => (method === demanding && params === undefined ? undefined : {}) },
      { collateral: ["LIFE-008", "LIFE-009"] },
    ],
  })),
  "exit-ignores-lists": [
    "LIFE-017",
    { noParams: (params, method) => (method === "exit" && Array.isArray(params) ? undefined : {}) },
  ],
  ...each(["stopped", "running"] as const, (status) => ({
    [`never-${status}`]: [
      "MCP-002",
      {
        mcpUpdates(name, wanted) {
          const updates = rightServer.mcpUpdates(name, wanted);
          const other = status === "stopped" ? "running" : "stopped";
          return updates === "die" || wanted !== status ? updates : updates.map((one) => ({ ...one, status: other }));
        },
      },
    ],
  })),
});

const chats: readonly Mutant[] = broken({
  "one-chat-for-all": ["CHAT-001", { chatId: () => "chat" }, { collateral: ["TURN-001"], cases: ["chat.new"] }],
  "names-another-model": [
    "CHAT-006",
    {
      promptResult(chatId, params) {
        const result = rightServer.promptResult(chatId, params);
        return { ...result, model: `${String(result["model"])}-latest` };
      },
    },
  ],
  "says-a-piece-twice": [
    "TURN-007",
    { contents: (role, one) => [1, ...(one["text"] === "3 " ? [2] : [])].map(() => ({ role, content: one })) },
  ],
  "thinks-under-another-id": [
    "TURN-004",
    content("reasonText", (one) => ({ ...one, id: "another" })),
    { cases: reason },
  ],
  "finishes-another-thought": [
    "TURN-004",
    content("reasonFinished", (one) => ({ ...one, id: "another" })),
    { cases: reason },
  ],
  "takes-no-prompt-after-a-stop": [
    "STOP-001",
    fallsSilentWhenStopped,
    { collateral: ["STOP-005"], cases: ["stop.running"] },
  ],
  "runs-without-saying-so": [
    ["TOOL-001", "TOOL-005"],
    content("toolCallRun", () => undefined),
    { collateral: ["TOOL-006"], cases: runs },
  ],
  "ignores-rejections": [
    "TOOL-008",
    { reader: readerOf(({ method }) => (method === "chat/toolCallReject" ? "overlook" : "take")) },
  ],
});

const forms: readonly Mutant[] = broken({
  "numbers-as-rejected-arguments": [
    "FORM-A4",
    content("toolCallRejected", (one) => ({ ...one, arguments: { depth: 3 } })),
    { collateral: ["TOOL-029"], cases: ["tool.rejected"] },
  ],
  ...each(["messageInputTokens", "messageOutputTokens", "sessionTokens"], (field) => ({
    [`usage-without-${field}`]: ["FORM-A8", content("usage", (one) => without(one, field)), { cases: echo }],
  })),
  "servers-without-args": [
    "FORM-A15",
    notified("tool/serverUpdated", (params) => without(params, "args")),
    { cases: life },
  ],
  ...each(["description", "parameters"], (field) => ({
    [`tools-without-${field}`]: [
      "FORM-tool-fields",
      notified("tool/serverUpdated", ({ tools = [], ...params }) => ({
        ...params,
        tools: (tools as readonly Json[]).map((tool) => without(tool, field)),
      })),
      { cases: life },
    ],
  })),
  ...each(["description", "mimeType"], (field) => ({
    [`resources-without-${field}`]: [
      "FORM-resource-fields",
      {
        queryContext(params) {
          const found = rightServer.queryContext(params);
          return {
            ...found,
            contexts: (found["contexts"] as readonly Json[]).map((one) =>
              one["type"] === "mcpResource" ? without(one, field) : one,
            ),
          };
        },
      },
      { cases: ["query.context"] },
    ],
  })),
});

/** Servers that violate one sentence of the specification each. */
export const clauseMutants: readonly Mutant[] = [...wire, ...begins, ...chats, ...forms];

/** Asks the client something ahead of the first answer, of one connection. */
function asksEarly(): Partial<ServerBehavior> {
  let hasAsked = false;
  return patch({
    outgoing(message) {
      if (hasAsked || !isAnswer(message)) return [message];
      hasAsked = true;
      return [{ jsonrpc: "2.0", id: "early", method: "editor/getDiagnostics", params: {} }, message];
    },
  });
}

/** Says nothing more in chats of which a turn was stopped, of one connection. */
function fallsSilentWhenStopped(): Partial<ServerBehavior> {
  const stopped = new Set<unknown>();
  const silent = new Set<unknown>();
  return {
    stop(chat) {
      if (chat?.turn !== undefined) stopped.add(chat.id);
      return rightServer.stop(chat);
    },
    outgoing(message) {
      const { chatId, content: one } = isObject(message["params"]) ? message["params"] : {};
      if (isAnswer(message) || !stopped.has(chatId)) return [message];
      const isSilent = silent.has(chatId);
      if (isObject(one) && one["state"] === "finished") silent.add(chatId);
      return isSilent ? [] : [message];
    },
  };
}
