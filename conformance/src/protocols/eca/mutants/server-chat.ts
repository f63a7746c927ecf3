import { isObject } from "@editwire/core";
import { type Json, rightServer } from "../reference/server-behavior.js";
import { wait } from "../../../core/talk/time.js";
import { broken, content, each } from "./server-patch.js";

const stopped = (how: string): readonly Json[] => (how === "stopped" ? [] : rightServer.finished("done"));

/** Faults of servers with chats, turns and tool calls. */
export const chatMutants = broken({
  "answers-with-another-chat": [
    "CHAT-001",
    { promptResult: (chatId, params) => rightServer.promptResult(`${chatId}-x`, params) },
    { collateral: ["TURN-005", "CHAT-002", "CHAT-003"], cases: ["chat.new"] },
  ],
  "contents-of-the-newest-chat": [
    "CHAT-001",
    contentsOfTheNewest,
    { collateral: ["CHAT-004", "TURN-001", "TURN-010"] },
  ],
  "refuses-ids-of-the-client": ["CHAT-002", { adopt: (chatId, chats) => (chats.has(chatId) ? chatId : undefined) }],
  "demands-a-request-id": [
    "CHAT-003",
    {
      paramsProblem: (method, params) =>
        method === "chat/prompt" && typeof (params as Json)["requestId"] !== "string"
          ? { code: -32602, message: "requestId" }
          : rightServer.paramsProblem(method, params),
    },
  ],
  "forgets-the-request-id": [
    "CHAT-004",
    { contentParams: (chatId, _params, role, one) => ({ chatId, role, content: one }) },
    { cases: ["turn.echo"] },
  ],
  "fails-for-contexts": ["CHAT-005", { unknownContext: () => "fail" }],
  "finishes-twice": [
    "TURN-001",
    { finished: (how) => [...rightServer.finished(how), ...rightServer.finished(how)] },
    { collateral: ["TURN-010"], cases: ["stop.*"] },
  ],
  "no-echo": ["TURN-002", { contents: (role, one) => (role === "user" ? [] : [{ role, content: one }]) }],
  "progress-of-the-assistant": [
    "TURN-003",
    { contents: (role, one) => [{ role: one["type"] === "progress" ? "assistant" : role, content: one }] },
    { cases: ["turn.echo"] },
  ],
  "answers-as-the-system": [
    "TURN-003",
    {
      contents: (role, one) => [
        { role: role === "assistant" && one["type"] === "text" ? "system" : role, content: one },
      ],
    },
    { cases: ["chat.new"] },
  ],
  "thoughts-without-a-start": [["TURN-004", "TURN-006"], content("reasonStarted", () => undefined)],
  "thoughts-without-an-end": ["TURN-006", content("reasonFinished", () => undefined)],
  "errors-do-not-finish": ["TURN-005", { finished: (how) => (how === "failed" ? [] : rightServer.finished(how)) }],
  shuffles: [
    "TURN-007",
    {
      contents: (role, one) => [
        {
          role,
          content: one["text"] === "3 " ? { ...one, text: "4 " } : one["text"] === "4 " ? { ...one, text: "3 " } : one,
        },
      ],
    },
  ],
  "one-turn-in-all": ["TURN-008", { oneTurnInAll: true }],
  "no-prepare": ["TOOL-050", content("toolCallPrepare", () => undefined), { cases: ["tool.runs"] }],
  "ends-tools-twice": [
    "TOOL-001",
    {
      contents: (role, one) =>
        one["type"] === "toolCalled"
          ? [
              { role, content: one },
              { role, content: one },
            ]
          : [{ role, content: one }],
    },
    { cases: ["tool.runs"] },
  ],
  "prepares-in-pieces": ["TOOL-002", { prepares: (text) => [text.slice(0, 4), text] }, { cases: ["tool.runs"] }],
  "waits-for-a-moment": [["TOOL-003", "TOOL-006"], { patience: () => wait(100) }],
  "arguments-as-list": [[], content("toolCalled", (one) => ({ ...one, arguments: ["a"] })), { cases: ["tool.runs"] }],
  "outputs-of-a-type-of-its-own": [
    "TOOL-004",
    content("toolCalled", (one) => ({ ...one, outputs: [{ type: "json", text: "{}", content: "{}" }] })),
    { cases: ["tool.runs"] },
  ],
  "tools-with-another-result": [
    "TOOL-005",
    content("toolCalled", (one) => ({ ...one, outputs: [{ type: "text", text: "done", content: "done" }] })),
  ],
  "failures-without-error": ["TOOL-028", content("toolCalled", (one) => ({ ...one, error: false }))],
  "errors-of-what-succeeded": [
    "TOOL-028",
    content("toolCalled", (one) => ({ ...one, error: true })),
    { cases: ["tool.runs"] },
  ],
  ...each(["toolCalled", "toolCallRejected"], (type) => ({
    [`other-arguments-in-${type}`]: [
      "TOOL-029",
      content(type, (one) => ({ ...one, arguments: { path: "another" } })),
      { cases: ["tool.runs", "tool.rejected"] },
    ],
  })),
  "never-runs": ["TOOL-007", { runs: () => false }, { collateral: ["TOOL-009", "TOOL-005"], cases: ["tool.approved"] }],
  "runs-what-was-rejected": ["TOOL-008", { runs: () => true }],
  "dies-of-unknown-calls": ["TOOL-009", { unknownCall: () => "die" }],
  "answers-unknown-calls": [
    "RPC-007",
    { unknownCall: () => [{ jsonrpc: "2.0", id: null, error: { code: -32602, message: "no such call" } }] },
    { cases: ["tool.unanswered"] },
  ],
  "uses-tool-ids-again": ["TURN-011", { toolId: ({ id }) => `${id}-tool` }, { cases: ["tool.rejected"] }],
  "uses-ids-of-thoughts-again": [
    "TURN-011",
    {
      contents: (role, one) => [
        { role, content: String(one["type"]).startsWith("reason") ? { ...one, id: "thought" } : one },
      ],
    },
    { cases: ["turn.reason"] },
  ],
  ...each(["linesAdded", "linesRemoved"], (field) => ({
    [`miscounts-${field}`]: [
      "TOOL-051",
      content("toolCallRun", (one) => ({ ...one, details: { ...(one["details"] as Json), [field]: 2 } })),
      { cases: ["tool.runs"] },
    ],
  })),
  "ignores-the-model": [
    "CHAT-006",
    { promptResult: (chatId, params) => ({ ...rightServer.promptResult(chatId, params), model: "test/one" }) },
  ],
  "ignores-stops": ["STOP-001", { stop: () => [] }, { collateral: ["STOP-002", "TURN-008"], cases: ["stop.running"] }],
  "loops-on-after-a-stop": ["STOP-001", { loopsOn: () => true }],
  "stops-silently": [
    "TURN-005",
    { finished: stopped },
    { collateral: ["STOP-002", "TURN-008"], cases: ["stop.running"] },
  ],
  "leaves-calls-open": ["STOP-002", { rejectsAtStop: false }],
  "says-the-rest-in-the-next-turn": ["STOP-006", saysTheRest],
  "stop-ends-all-turns": [
    "STOP-004",
    {
      stop(chat, all = []) {
        if (chat !== undefined) for (const one of all) rightServer.stop(one);
        return [];
      },
    },
  ],
  "stops-once-a-chat": ["STOP-005", stopsOnce],
  "stop-of-nothing-is-an-error": [
    "STOP-003",
    {
      stop: (chat) =>
        chat?.turn === undefined
          ? [{ jsonrpc: "2.0", id: null, error: { code: -32602, message: "no turn" } }]
          : rightServer.stop(chat),
    },
  ],
});

/** Names the chat that was prompted last, of one connection. */
function contentsOfTheNewest(): Partial<typeof rightServer> {
  let newest: string | undefined;
  return {
    promptResult(chatId, params) {
      newest = chatId;
      return rightServer.promptResult(chatId, params);
    },
    contentParams: (chatId, ...more) => rightServer.contentParams(newest ?? chatId, ...more),
  };
}

/** Says what a stopped turn had left to say when the chat is prompted again, of one connection. */
function saysTheRest(): Partial<typeof rightServer> {
  const stopped = new Set<unknown>();
  return {
    stop(chat, all) {
      if (chat?.turn !== undefined) stopped.add(chat.id);
      return rightServer.stop(chat, all);
    },
    outgoing(message) {
      const params = isObject(message["params"]) ? message["params"] : {};
      if (params["role"] !== "user" || !stopped.delete(params["chatId"])) return [message];
      return [message, { ...message, params: { ...params, role: "assistant", content: { type: "text", text: "7 " } } }];
    },
  };
}

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
