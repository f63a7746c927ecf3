import { without } from "../../../packs/rewrites.js";
import { type Json, rightServer } from "../reference/server-behavior.js";
import { beginning, broken, each, content, patch } from "./server-patch.js";

const runs = ["tool.runs"];

/** Refuses a prompt because of one of its contexts. */
const refusing = (isRefused: (context: Json) => boolean) =>
  patch({
    paramsProblem: (method, params) =>
      method === "chat/prompt" && ((params as Json)["contexts"] as Json[] | undefined)?.some(isRefused) === true
        ? { code: -32602, message: "contexts" }
        : rightServer.paramsProblem(method, params),
  });

/** Faults of servers with queries and deletion, and words that contradict each other. */
export const queryMutants = broken({
  "finds-everything": [
    "QUERY-001",
    { queryContext: ({ contexts }) => rightServer.queryContext({ query: "", contexts }) },
  ],
  "finds-what-is-given": [
    "QUERY-002",
    { queryContext: ({ query }) => rightServer.queryContext({ query, contexts: [] }) },
  ],
  "no-commands-for-a-blank-query": [
    "QUERY-003",
    { queryCommands: (params) => (params["query"] === "" ? { commands: [] } : rightServer.queryCommands(params)) },
  ],
  "message-of-another-type": [
    "LIFE-013",
    {
      outgoing: (message) => [
        message["method"] === "$/showMessage"
          ? { ...message, params: { ...(message["params"] as object), type: "fatal" } }
          : message,
      ],
    },
    { cases: ["life.native-tools"] },
  ],
  "prepares-other-arguments": ["TOOL-024", { prepares: () => ['{"path":"another"}'] }],
  "commands-unfiltered": ["QUERY-003", { queryCommands: () => rightServer.queryCommands({ query: "" }) }],
  "deletes-no-chats": [
    "DELETE-001",
    { deleteProblem: (chat) => (chat === undefined ? undefined : { code: -32603, message: "in use" }) },
    { collateral: ["DELETE-003"] },
  ],
  "deletes-known-chats-only": [
    "DELETE-004",
    { deleteProblem: (chat) => (chat === undefined ? { code: -32602, message: "unknown chat" } : undefined) },
  ],
  "ids-of-deleted-chats-are-gone": ["DELETE-002", goneIds],
  "no-contexts-for-a-blank-query": [
    "QUERY-001",
    { queryContext: (params) => (params["query"] === "" ? { contexts: [] } : rightServer.queryContext(params)) },
  ],
  ...each(["queryContext", "queryCommands"] as const, (name) => ({
    [`${name}-for-blanks-finds-nothing`]: [
      "QUERY-005",
      {
        [name]: (params: Json) =>
          params["query"] === " " ? { contexts: [], commands: [] } : rightServer[name](params),
      },
    ],
    [`${name}-of-another-chat`]: [
      "QUERY-004",
      { [name]: (params: Json) => ({ ...rightServer[name](params), chatId: "another" }) },
    ],
  })),
  "goes-on-when-deleted": ["DELETE-006", { endsDeleted: false }],
  "forgets-nothing": ["DELETE-003", { forgotten: () => [] }],
  "forgets-every-chat": ["DELETE-005", { forgotten: (_chatId, all) => all }],
  "begins-every-turn-anew": ["CHAT-008", { remembers: () => [] }],
  "takes-no-ranges": ["CHAT-007", refusing(({ linesRange }) => linesRange !== undefined), { cases: ["chat.contexts"] }],
  "knows-only-its-default-behavior": [
    "CHAT-007",
    patch({
      paramsProblem: (method, params) =>
        method === "chat/prompt" && ![undefined, null, "agent"].includes((params as Json)["behavior"] as null)
          ? { code: -32602, message: "behavior" }
          : rightServer.paramsProblem(method, params),
    }),
    { cases: ["chat.behaviors"] },
  ],
  "takes-no-resources": ["CHAT-007", refusing(({ type }) => type === "mcpResource"), { cases: ["chat.contexts"] }],
  "default-model-of-another-list": ["LIFE-014", beginning({ chatDefaultModel: "none/such" })],
  "default-behavior-of-another-list": [
    "LIFE-014",
    beginning({ chatBehaviors: ["agent"], chatDefaultBehavior: "plan" }),
  ],
  "behavior-of-its-own": ["FORM-behavior", beginning({ chatBehaviors: ["agent", "plan", "chat"] })],
  "commands-of-2026": [
    "FORM-A13",
    {
      queryCommands: (params) => ({
        commands: (rightServer.queryCommands(params)["commands"] as Json[]).map((one) => ({
          ...one,
          type: one["type"] === "mcp-prompt" ? "mcpPrompt" : one["type"],
        })),
      }),
    },
    { cases: ["query.commands"] },
  ],
  "prepares-without-approval": [
    "FORM-approval",
    content("toolCallPrepare", (one) => without(one, "manualApproval")),
    { cases: runs },
  ],
  "prepares-with-the-other-approval": [
    "TOOL-026",
    content("toolCallPrepare", (one) => ({ ...one, manualApproval: one["manualApproval"] !== true })),
    { cases: runs },
  ],
  ...each(["toolCallRun", "toolCalled"] as const, (type) => ({
    [`another-name-in-${type}`]: [
      "TOOL-025",
      content(type, (one) => ({ ...one, name: "another_tool" })),
      { cases: runs },
    ],
  })),
  "another-origin-in-toolCallRejected": [
    "TOOL-025",
    content("toolCallRejected", (one) => ({ ...one, origin: "mcp" })),
    { cases: ["tool.rejected"] },
  ],
  "waits-unsaid": [
    "TOOL-006",
    content("toolCallRun", (one) => ({ ...one, manualApproval: false })),
    { collateral: ["TOOL-026"], cases: ["tool.approved"] },
  ],
  "sessions-of-one-message": [
    "TURN-009",
    content("usage", (one) => ({ ...one, sessionTokens: 15 })),
    { collateral: ["DELETE-003"] },
  ],
  "sessions-of-no-tokens": ["TURN-009", content("usage", (one) => ({ ...one, sessionTokens: 0 })), { cases: runs }],
  ...each(["messageInputTokens", "messageOutputTokens"], (field) => ({
    [`negative-${field}`]: ["TURN-012", content("usage", (one) => ({ ...one, [field]: -1 })), { cases: runs }],
  })),
  "outlives-its-parent": ["LIFE-011", { parent: () => undefined }],
  "runs-behind-the-end": [
    "TURN-010",
    {
      contents: (role, one) => [
        { role, content: one },
        ...(one["state"] === "finished" ? [{ role, content: { ...one, state: "running" } }] : []),
      ],
    },
    { cases: ["stop.running"] },
  ],
  "exit-needs-a-shutdown": ["LIFE-015", exitAfterShutdown],
});

/** Ends at exit only after a shutdown. */
function exitAfterShutdown(): Partial<typeof rightServer> {
  let isShut = false;
  return {
    result(method, result) {
      isShut ||= method === "shutdown";
      return result;
    },
    endsAt: (what) => what === "input" || (what === "exit" && isShut),
  };
}

/** Keeps what was deleted, of one connection. */
function goneIds(): Partial<typeof rightServer> {
  const gone = new Set<string>();
  return {
    deleteProblem(chat) {
      if (chat !== undefined) gone.add(chat.id);
      return undefined;
    },
    adopt: (chatId) => (gone.has(chatId) ? undefined : chatId),
  };
}
