import { isObject } from "@editwire/core";
import { mutant, type Mutant } from "../../../core/mutant.js";
import { headerMutants } from "../../../packs/header-mutants.js";
import { FrameCutter } from "../../../wire/framing.js";
import { type Json, type ReaderCut, rightServer, type ServerBehavior } from "../reference/server-behavior.js";
import { beginning, content, notified, patch, without } from "./server-patch.js";

const life = ["eca.server.life.native-tools"];
const echo = ["eca.server.turn.echo"];
const runs = ["eca.server.tool.runs"];
const reason = ["eca.server.turn.reason"];
const isAnswer = (message: Json): boolean => !("method" in message);

/** Changes what the server reads. */
const reading = (read: (cut: ReaderCut) => readonly ReaderCut[]): Partial<ServerBehavior> =>
  patch({
    reader() {
      const inner = new FrameCutter();
      return { push: (chunk) => inner.push(chunk).flatMap(read) };
    },
  });

/** Reads only messages with such a header. */
const readingHeaders = (isRead: (header: string) => boolean): Partial<ServerBehavior> =>
  reading((cut) => (cut.ok && isRead(cut.frame?.detail ?? "") ? [cut] : []));

const wire: readonly Mutant[] = [
  ...headerMutants("eca.server", echo, { framed: "ECA-FRAME-001", form: "ECA-FRAME-002", listed: "ECA-FRAME-003" }),
  mutant("eca.server/content-type-comes-last", {
    violates: ["ECA-FRAME-005"],
    patch: readingHeaders((header) => !/^content-type/i.test(header)),
  }),
  mutant("eca.server/takes-no-charset", {
    violates: ["ECA-FRAME-005"],
    patch: readingHeaders((header) => !header.includes("charset")),
  }),
  mutant("eca.server/reads-latin-1", {
    violates: ["ECA-FRAME-007"],
    cases: ["eca.server.framing.bytes"],
    patch: reading((cut) =>
      cut.ok
        ? [{ ...cut, message: JSON.parse(Buffer.from(JSON.stringify(cut.message)).toString("latin1")) as unknown }]
        : [cut],
    ),
  }),
  mutant("eca.server/errors-beside-results", {
    violates: ["ECA-RPC-001"],
    cases: ["eca.server.life.initialize"],
    patch: patch({ outgoing: (message) => ["result" in message ? { ...message, error: null } : message] }),
  }),
  mutant("eca.server/errors-without-messages", {
    violates: ["ECA-RPC-002"],
    collateral: ["ECA-RPC-006"],
    cases: ["eca.server.unknown-method.vendor"],
    patch: patch({
      outgoing: (message) => [isObject(message["error"]) ? { ...message, error: { code: -32601 } } : message],
    }),
  }),
  mutant("eca.server/one-id-for-all-requests", {
    violates: ["ECA-RPC-005"],
    cases: life,
    patch: patch({ announces: () => [1, 2].map(() => ({ jsonrpc: "2.0", id: 77, method: "vendor/ask", params: {} })) }),
  }),
];

const begins: readonly Mutant[] = [
  ...["models", "chatDefaultModel", "chatBehaviors", "chatDefaultBehavior"].map((field) =>
    mutant(`eca.server/begins-without-${field}`, {
      violates: ["ECA-LIFE-001"],
      collateral: ["ECA-LIFE-014"],
      patch: beginning({ [field]: undefined }),
    }),
  ),
  mutant("eca.server/asks-early", {
    violates: ["ECA-LIFE-005"],
    cases: life,
    patch: () => asksEarly(),
  }),
  ...["shutdown", "exit"].map((demanding) =>
    mutant(`eca.server/${demanding}-demands-params`, {
      violates: ["ECA-LIFE-006"],
      collateral: ["ECA-LIFE-008", "ECA-LIFE-009"],
      patch: patch({ noParams: (params, method) => (method === demanding && params === undefined ? undefined : {}) }),
    }),
  ),
  mutant("eca.server/shutdown-refuses-lists", {
    violates: ["ECA-LIFE-017"],
    patch: patch({ noParams: (params, method) => (method === "shutdown" && Array.isArray(params) ? undefined : {}) }),
  }),
  mutant("eca.server/exit-ignores-lists", {
    violates: ["ECA-LIFE-017"],
    patch: patch({ noParams: (params, method) => (method === "exit" && Array.isArray(params) ? undefined : {}) }),
  }),
  ...(["stopped", "running"] as const).map((status) =>
    mutant(`eca.server/never-${status}`, {
      violates: ["ECA-MCP-002"],
      patch: patch({
        mcpUpdates(name, wanted) {
          const updates = rightServer.mcpUpdates(name, wanted);
          const other = status === "stopped" ? "running" : "stopped";
          return updates === "die" || wanted !== status ? updates : updates.map((one) => ({ ...one, status: other }));
        },
      }),
    }),
  ),
];

const chats: readonly Mutant[] = [
  mutant("eca.server/one-chat-for-all", {
    violates: ["ECA-CHAT-001"],
    collateral: ["ECA-TURN-001"],
    cases: ["eca.server.chat.new"],
    patch: patch({ chatId: () => "chat" }),
  }),
  mutant("eca.server/contents-of-another-chat", {
    violates: ["ECA-CHAT-001"],
    collateral: ["ECA-FRAME-007", "ECA-STOP-001", "ECA-TOOL-005", "ECA-TOOL-006", "ECA-TURN-001", "ECA-TURN-005"],
    cases: ["eca.server.chat.new"],
    patch: patch({ contentParams: (chatId, ...more) => rightServer.contentParams(`${chatId}-x`, ...more) }),
  }),
  mutant("eca.server/names-another-model", {
    violates: ["ECA-CHAT-006"],
    patch: patch({
      promptResult(chatId, params) {
        const result = rightServer.promptResult(chatId, params);
        return { ...result, model: `${String(result["model"])}-latest` };
      },
    }),
  }),
  mutant("eca.server/says-a-piece-twice", {
    violates: ["ECA-TURN-007"],
    cases: ["eca.server.turn.order"],
    patch: patch({
      contents: (role, one) => [1, ...(one["text"] === "3 " ? [2] : [])].map(() => ({ role, content: one })),
    }),
  }),
  mutant("eca.server/thinks-under-another-id", {
    violates: ["ECA-TURN-004"],
    cases: reason,
    patch: content("reasonText", (one) => ({ ...one, id: "another" })),
  }),
  mutant("eca.server/finishes-another-thought", {
    violates: ["ECA-TURN-004"],
    cases: reason,
    patch: content("reasonFinished", (one) => ({ ...one, id: "another" })),
  }),
  mutant("eca.server/takes-no-prompt-after-a-stop", {
    violates: ["ECA-STOP-001"],
    collateral: ["ECA-STOP-005"],
    cases: ["eca.server.stop.running"],
    patch: () => fallsSilentWhenStopped(),
  }),
  mutant("eca.server/runs-without-saying-so", {
    violates: ["ECA-TOOL-001", "ECA-TOOL-005"],
    collateral: ["ECA-TOOL-006"],
    cases: runs,
    patch: content("toolCallRun", () => undefined),
  }),
  mutant("eca.server/runs-tools-unseen", {
    violates: ["ECA-TOOL-005"],
    collateral: ["ECA-TOOL-006"],
    cases: runs,
    patch: patch({
      contents: (role, one) => (String(one["type"]).startsWith("toolCall") ? [] : [{ role, content: one }]),
    }),
  }),
  mutant("eca.server/ignores-rejections", {
    violates: ["ECA-TOOL-008"],
    patch: reading((cut) =>
      cut.ok && isObject(cut.message) && cut.message["method"] === "chat/toolCallReject" ? [] : [cut],
    ),
  }),
];

const forms: readonly Mutant[] = [
  mutant("eca.server/numbers-as-rejected-arguments", {
    violates: ["ECA-FORM-A4"],
    cases: ["eca.server.tool.rejected"],
    patch: content("toolCallRejected", (one) => ({ ...one, arguments: { depth: 3 } })),
  }),
  ...["messageInputTokens", "messageOutputTokens", "sessionTokens"].map((field) =>
    mutant(`eca.server/usage-without-${field}`, {
      violates: ["ECA-FORM-A8"],
      cases: echo,
      patch: content("usage", (one) => without(one, field)),
    }),
  ),
  mutant("eca.server/servers-without-args", {
    violates: ["ECA-FORM-A15"],
    cases: life,
    patch: notified("tool/serverUpdated", (params) => without(params, "args")),
  }),
  ...["description", "parameters"].map((field) =>
    mutant(`eca.server/tools-without-${field}`, {
      violates: ["ECA-FORM-tool-fields"],
      cases: life,
      patch: notified("tool/serverUpdated", ({ tools = [], ...params }) => ({
        ...params,
        tools: (tools as readonly Json[]).map((tool) => without(tool, field)),
      })),
    }),
  ),
  ...["description", "mimeType"].map((field) =>
    mutant(`eca.server/resources-without-${field}`, {
      violates: ["ECA-FORM-resource-fields"],
      cases: ["eca.server.query.context"],
      patch: patch({
        queryContext(params) {
          const found = rightServer.queryContext(params);
          return {
            ...found,
            contexts: (found["contexts"] as readonly Json[]).map((one) =>
              one["type"] === "mcpResource" ? without(one, field) : one,
            ),
          };
        },
      }),
    }),
  ),
];

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
