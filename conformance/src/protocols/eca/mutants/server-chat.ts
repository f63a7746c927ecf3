import { mutant } from "../../../core/mutant.js";
import { type Json, rightServer } from "../reference/server-behavior.js";
import { content, patch } from "./server-patch.js";

const stopped = (how: string): readonly Json[] => (how === "stopped" ? [] : rightServer.finished("done"));

/** What servers get wrong with chats, turns and tool calls. */
export const chatMutants = [
  mutant("eca.server/answers-with-another-chat", {
    violates: ["ECA-CHAT-001"],
    collateral: ["ECA-TURN-005", "ECA-CHAT-002", "ECA-CHAT-003"],
    cases: ["eca.server.chat.new"],
    patch: patch({ promptResult: (chatId, params) => rightServer.promptResult(`${chatId}-x`, params) }),
  }),
  mutant("eca.server/ids-of-its-own", {
    violates: ["ECA-CHAT-002"],
    collateral: ["ECA-TURN-005", "ECA-CHAT-004", "ECA-FRAME-007", "ECA-STOP-001", "ECA-TURN-001", "ECA-TOOL-006"],
    cases: ["eca.server.chat.own-id"],
    patch: patch({ adopt: (chatId) => `own-${chatId}` }),
  }),
  mutant("eca.server/demands-a-request-id", {
    violates: ["ECA-CHAT-003"],
    patch: patch({
      paramsProblem: (method, params) =>
        method === "chat/prompt" && typeof (params as Json)["requestId"] !== "string"
          ? { code: -32602, message: "requestId" }
          : rightServer.paramsProblem(method, params),
    }),
  }),
  mutant("eca.server/takes-no-nulls", {
    violates: ["ECA-CHAT-003"],
    cases: ["eca.server.chat.prompt-emacs"],
    patch: patch({
      paramsProblem: (method, params) =>
        method === "chat/prompt" && Object.values(params as Json).includes(null)
          ? { code: -32602, message: "null" }
          : undefined,
      read: (params) => params,
    }),
  }),
  mutant("eca.server/forgets-the-request-id", {
    violates: ["ECA-CHAT-004"],
    cases: ["eca.server.turn.echo"],
    patch: patch({ contentParams: (chatId, _params, role, one) => ({ chatId, role, content: one }) }),
  }),
  mutant("eca.server/fails-for-contexts", {
    violates: ["ECA-CHAT-005"],
    patch: patch({ unknownContext: () => "fail" }),
  }),

  mutant("eca.server/finishes-twice", {
    violates: ["ECA-TURN-001"],
    cases: ["eca.server.stop.*"],
    patch: patch({ finished: (how) => [...rightServer.finished(how), ...rightServer.finished(how)] }),
  }),
  mutant("eca.server/no-echo", {
    violates: ["ECA-TURN-002"],
    patch: patch({ contents: (role, one) => (role === "user" ? [] : [{ role, content: one }]) }),
  }),
  mutant("eca.server/echo-of-the-assistant", {
    violates: ["ECA-TURN-002"],
    patch: patch({ contents: (role, one) => [{ role: role === "user" ? "assistant" : role, content: one }] }),
  }),
  mutant("eca.server/progress-of-the-assistant", {
    violates: ["ECA-TURN-003"],
    cases: ["eca.server.turn.echo"],
    patch: patch({
      contents: (role, one) => [{ role: one["type"] === "progress" ? "assistant" : role, content: one }],
    }),
  }),
  mutant("eca.server/thoughts-without-a-start", {
    violates: ["ECA-TURN-004", "ECA-TURN-006"],
    patch: content("reasonStarted", () => undefined),
    cases: ["eca.server.turn.reason"],
  }),
  mutant("eca.server/thoughts-without-an-end", {
    violates: ["ECA-TURN-006"],
    patch: content("reasonFinished", () => undefined),
  }),
  mutant("eca.server/errors-do-not-finish", {
    violates: ["ECA-TURN-005"],
    patch: patch({ finished: (how) => (how === "failed" ? [] : rightServer.finished(how)) }),
  }),
  mutant("eca.server/shuffles", {
    violates: ["ECA-TURN-007"],
    patch: patch({
      contents: (role, one) => [
        {
          role,
          content: one["text"] === "3 " ? { ...one, text: "4 " } : one["text"] === "4 " ? { ...one, text: "3 " } : one,
        },
      ],
    }),
  }),
  mutant("eca.server/one-turn-in-all", { violates: ["ECA-TURN-008"], patch: patch({ oneTurnInAll: true }) }),
  mutant("eca.server/deaf-in-a-turn", {
    violates: ["ECA-TURN-008"],
    cases: ["eca.server.turn.responsive"],
    patch: patch({ responsive: false }),
    collateral: ["ECA-TOOL-009"],
  }),

  mutant("eca.server/no-prepare", {
    violates: ["ECA-TOOL-001"],
    cases: ["eca.server.tool.runs"],
    patch: content("toolCallPrepare", () => undefined),
  }),
  mutant("eca.server/tool-ids-again", {
    violates: ["ECA-TOOL-001"],
    cases: ["eca.server.tool.runs", "eca.server.stop.*"],
    patch: patch({
      contents: (role, one) =>
        one["type"] === "toolCallRun"
          ? [
              { role, content: one },
              { role, content: one },
            ]
          : [{ role, content: one }],
    }),
  }),
  mutant("eca.server/ends-tools-twice", {
    violates: ["ECA-TOOL-001"],
    cases: ["eca.server.tool.runs"],
    patch: patch({
      contents: (role, one) =>
        one["type"] === "toolCalled"
          ? [
              { role, content: one },
              { role, content: one },
            ]
          : [{ role, content: one }],
    }),
  }),
  mutant("eca.server/prepares-in-pieces", {
    violates: ["ECA-TOOL-002"],
    cases: ["eca.server.tool.runs"],
    patch: patch({ prepares: (text) => [text.slice(0, 4), text] }),
  }),
  mutant("eca.server/does-not-wait", {
    violates: ["ECA-TOOL-003", "ECA-TOOL-006"],
    collateral: ["ECA-TOOL-008", "ECA-TOOL-009", "ECA-STOP-002"],
    cases: ["eca.server.tool.approved"],
    patch: patch({ waits: false }),
  }),
  mutant("eca.server/arguments-as-list", {
    violates: [],
    cases: ["eca.server.tool.runs"],
    patch: content("toolCalled", (one) => ({ ...one, arguments: ["a"] })),
  }),
  mutant("eca.server/outputs-of-a-type-of-its-own", {
    violates: ["ECA-TOOL-004"],
    cases: ["eca.server.tool.runs"],
    patch: content("toolCalled", (one) => ({ ...one, outputs: [{ type: "json", text: "{}", content: "{}" }] })),
  }),
  mutant("eca.server/tools-without-result", {
    violates: ["ECA-TOOL-005"],
    cases: ["eca.server.tool.runs"],
    patch: content("toolCalled", () => undefined),
    collateral: ["ECA-TOOL-007"],
  }),
  mutant("eca.server/never-runs", {
    violates: ["ECA-TOOL-007"],
    collateral: ["ECA-TOOL-009", "ECA-TOOL-005"],
    cases: ["eca.server.tool.approved"],
    patch: patch({ runs: () => false }),
  }),
  mutant("eca.server/runs-what-was-rejected", {
    violates: ["ECA-TOOL-008"],
    cases: ["eca.server.tool.rejected"],
    patch: patch({ runs: () => true }),
  }),
  mutant("eca.server/rejections-end-the-turn", {
    violates: ["ECA-TOOL-008"],
    cases: ["eca.server.tool.rejected"],
    patch: patch({ contents: (role, one) => (one["text"] === "done" ? [] : [{ role, content: one }]) }),
  }),
  mutant("eca.server/dies-of-unknown-calls", {
    violates: ["ECA-TOOL-009"],
    patch: patch({ unknownCall: () => "die" }),
  }),
  mutant("eca.server/ignores-the-model", {
    violates: ["ECA-CHAT-006"],
    patch: patch({
      promptResult: (chatId, params) => ({ ...rightServer.promptResult(chatId, params), model: "test/one" }),
    }),
  }),
  mutant("eca.server/ignores-stops", {
    violates: ["ECA-STOP-001"],
    collateral: ["ECA-STOP-002", "ECA-TURN-008"],
    cases: ["eca.server.stop.running"],
    patch: patch({ stop: () => [] }),
  }),
  mutant("eca.server/stops-silently", {
    violates: ["ECA-STOP-001"],
    collateral: ["ECA-STOP-002", "ECA-TURN-008"],
    cases: ["eca.server.stop.running"],
    patch: patch({ finished: stopped }),
  }),
  mutant("eca.server/leaves-calls-open", { violates: ["ECA-STOP-002"], patch: patch({ rejectsAtStop: false }) }),
  mutant("eca.server/stop-ends-all-turns", {
    violates: ["ECA-STOP-004"],
    patch: patch({
      stop(chat, all = []) {
        if (chat !== undefined) for (const one of all) rightServer.stop(one);
        return [];
      },
    }),
  }),
  mutant("eca.server/stops-once-a-chat", { violates: ["ECA-STOP-005"], patch: () => stopsOnce() }),
  mutant("eca.server/stop-of-nothing-is-an-error", {
    violates: ["ECA-STOP-003"],
    patch: patch({
      stop: (chat) =>
        chat?.turn === undefined
          ? [{ jsonrpc: "2.0", id: null, error: { code: -32602, message: "no turn" } }]
          : rightServer.stop(chat),
    }),
  }),
];

/** Obeys one stop in each chat, of one connection. */
function stopsOnce(): Partial<typeof rightServer> {
  const stopped = new Set<string>();
  return {
    stop(chat) {
      if (chat === undefined || stopped.has(chat.id)) return [];
      if (chat.turn !== undefined) stopped.add(chat.id);
      return rightServer.stop(chat);
    },
  };
}
