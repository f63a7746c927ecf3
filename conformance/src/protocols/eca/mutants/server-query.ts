import { mutant } from "../../../core/mutant.js";
import { type Json, rightServer } from "../reference/server-behavior.js";
import { beginning, content, patch, without } from "./server-patch.js";

const runs = ["eca.server.tool.runs"];

/** Refuses a prompt because of one of its contexts. */
const refusing = (isRefused: (context: Json) => boolean) =>
  patch({
    paramsProblem: (method, params) =>
      method === "chat/prompt" && ((params as Json)["contexts"] as Json[] | undefined)?.some(isRefused) === true
        ? { code: -32602, message: "contexts" }
        : rightServer.paramsProblem(method, params),
  });

/** What servers get wrong with queries and deletion, and words that contradict each other. */
export const queryMutants = [
  mutant("eca.server/finds-everything", {
    violates: ["ECA-QUERY-001"],
    patch: patch({ queryContext: ({ contexts }) => rightServer.queryContext({ query: "", contexts }) }),
  }),
  mutant("eca.server/finds-what-is-given", {
    violates: ["ECA-QUERY-002"],
    patch: patch({ queryContext: ({ query }) => rightServer.queryContext({ query, contexts: [] }) }),
  }),
  mutant("eca.server/no-commands-for-a-blank-query", {
    violates: ["ECA-QUERY-003"],
    patch: patch({
      queryCommands: (params) => (params["query"] === "" ? { commands: [] } : rightServer.queryCommands(params)),
    }),
  }),
  mutant("eca.server/message-of-another-type", {
    violates: ["ECA-LIFE-013"],
    cases: ["eca.server.life.native-tools"],
    patch: patch({
      outgoing: (message) => [
        message["method"] === "$/showMessage"
          ? { ...message, params: { ...(message["params"] as object), type: "fatal" } }
          : message,
      ],
    }),
  }),
  mutant("eca.server/prepares-other-arguments", {
    violates: ["ECA-TOOL-024"],
    patch: patch({ prepares: () => ['{"path":"another"}'] }),
  }),
  mutant("eca.server/commands-unfiltered", {
    violates: ["ECA-QUERY-003"],
    patch: patch({ queryCommands: () => rightServer.queryCommands({ query: "" }) }),
  }),
  mutant("eca.server/deletes-no-chats", {
    violates: ["ECA-DELETE-001"],
    collateral: ["ECA-DELETE-003"],
    patch: patch({ deleteProblem: (chat) => (chat === undefined ? undefined : { code: -32603, message: "in use" }) }),
  }),
  mutant("eca.server/deletes-known-chats-only", {
    violates: ["ECA-DELETE-004"],
    patch: patch({
      deleteProblem: (chat) => (chat === undefined ? { code: -32602, message: "unknown chat" } : undefined),
    }),
  }),
  mutant("eca.server/ids-of-deleted-chats-are-gone", { violates: ["ECA-DELETE-002"], patch: () => goneIds() }),
  mutant("eca.server/no-contexts-for-a-blank-query", {
    violates: ["ECA-QUERY-001"],
    patch: patch({
      queryContext: (params) => (params["query"] === "" ? { contexts: [] } : rightServer.queryContext(params)),
    }),
  }),
  ...(["queryContext", "queryCommands"] as const).map((name) =>
    mutant(`eca.server/${name}-of-another-chat`, {
      violates: ["ECA-QUERY-004"],
      patch: patch({ [name]: (params: Json) => ({ ...rightServer[name](params), chatId: "another" }) }),
    }),
  ),
  mutant("eca.server/forgets-nothing", { violates: ["ECA-DELETE-003"], patch: patch({ forgets: false }) }),
  mutant("eca.server/keeps-tokens", {
    violates: ["ECA-DELETE-003"],
    cases: ["eca.server.delete.tokens"],
    patch: () => countingAll(),
  }),
  mutant("eca.server/takes-no-ranges", {
    violates: ["ECA-CHAT-007"],
    cases: ["eca.server.chat.contexts"],
    patch: refusing(({ linesRange }) => linesRange !== undefined),
  }),
  mutant("eca.server/takes-no-resources", {
    violates: ["ECA-CHAT-007"],
    cases: ["eca.server.chat.contexts"],
    patch: refusing(({ type }) => type === "mcpResource"),
  }),
  mutant("eca.server/default-model-of-another-list", {
    violates: ["ECA-LIFE-014"],
    patch: beginning({ chatDefaultModel: "none/such" }),
  }),
  mutant("eca.server/default-behavior-of-another-list", {
    violates: ["ECA-LIFE-014"],
    patch: beginning({ chatBehaviors: ["agent"], chatDefaultBehavior: "plan" }),
  }),
  mutant("eca.server/behavior-of-its-own", {
    violates: ["ECA-FORM-behavior"],
    patch: beginning({ chatBehaviors: ["agent", "plan", "chat"] }),
  }),
  mutant("eca.server/commands-of-2026", {
    violates: ["ECA-FORM-A13"],
    cases: ["eca.server.query.commands"],
    patch: patch({
      queryCommands: (params) => ({
        commands: (rightServer.queryCommands(params)["commands"] as Json[]).map((one) => ({
          ...one,
          type: one["type"] === "mcp-prompt" ? "mcpPrompt" : one["type"],
        })),
      }),
    }),
  }),
  mutant("eca.server/prepares-without-approval", {
    violates: ["ECA-FORM-approval"],
    cases: runs,
    patch: content("toolCallPrepare", (one) => without(one, "manualApproval")),
  }),
  mutant("eca.server/prepares-with-the-other-approval", {
    violates: ["ECA-TOOL-026"],
    cases: runs,
    patch: content("toolCallPrepare", (one) => ({ ...one, manualApproval: one["manualApproval"] !== true })),
  }),
  ...(["toolCallRun", "toolCalled"] as const).map((type) =>
    mutant(`eca.server/another-name-in-${type}`, {
      violates: ["ECA-TOOL-025"],
      cases: runs,
      patch: content(type, (one) => ({ ...one, name: "another_tool" })),
    }),
  ),
  mutant("eca.server/another-origin-in-toolCallRejected", {
    violates: ["ECA-TOOL-025"],
    cases: ["eca.server.tool.rejected"],
    patch: content("toolCallRejected", (one) => ({ ...one, origin: "mcp" })),
  }),
  mutant("eca.server/waits-unsaid", {
    violates: ["ECA-TOOL-006"],
    collateral: ["ECA-TOOL-026"],
    cases: ["eca.server.tool.approved"],
    patch: content("toolCallRun", (one) => ({ ...one, manualApproval: false })),
  }),
  mutant("eca.server/sessions-of-no-tokens", {
    violates: ["ECA-TURN-009"],
    cases: runs,
    patch: content("usage", (one) => ({ ...one, sessionTokens: 0 })),
  }),
  mutant("eca.server/goes-on-behind-the-end", {
    violates: ["ECA-TURN-010"],
    cases: ["eca.server.stop.running"],
    patch: patch({
      contents: (role, one) => [
        { role, content: one },
        ...(one["state"] === "finished" ? [{ role: "assistant", content: { type: "text", text: "more" } }] : []),
      ],
    }),
  }),
  mutant("eca.server/exit-needs-a-shutdown", { violates: ["ECA-LIFE-015"], patch: () => exitAfterShutdown() }),
];

/** Counts tokens for all chats of a connection. */
function countingAll(): Partial<typeof rightServer> {
  let turns = 0;
  return { usage: (chat) => ({ ...rightServer.usage(chat), sessionTokens: 15 * ++turns }) };
}

/** Ends at exit only after a shutdown. */
function exitAfterShutdown(): Partial<typeof rightServer> {
  let isShut = false;
  return {
    result(method, result) {
      isShut ||= method === "shutdown";
      return result;
    },
    endsAt: (what) => what === "input" || isShut,
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
