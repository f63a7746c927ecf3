import { type ClientBehavior, rightClient } from "../../reference/client-behavior.js";
import { broken, each } from "./patch.js";

const selected = (optionId: unknown): unknown => ({ outcome: { outcome: "selected", optionId } });
const cancelled = { outcome: { outcome: "cancelled" } };

/** Params of a prompt whose bytes are sent as text. */
const plainBytes = (params: unknown): unknown =>
  JSON.parse(JSON.stringify(params), (name, value: unknown) =>
    (name === "blob" || name === "data") && typeof value === "string"
      ? Buffer.from(value, "base64").toString("latin1")
      : value,
  );

/** Takes a turn for over once it is cancelled. */
function impatient(): Partial<ClientBehavior> {
  let hasCancelled = false;
  return {
    cancelMessages(...of) {
      hasCancelled = true;
      return rightClient.cancelMessages(...of);
    },
    whileBusy: (own) => (hasCancelled ? "send" : rightClient.whileBusy(own)),
  };
}

/** Faults of clients with connections, sessions, turns, cancels and permissions. */
export const lifeMutants = broken({
  "authenticates-first": [
    "INIT-003",
    { beforeInitialize: () => [{ method: "authenticate", params: { methodId: "token" } }] },
  ],
  "does-not-wait-for-initialize": [
    ["INIT-003", "SESSION-008"],
    { behindInitialize: () => [{ method: "session/new", params: { cwd: "/tmp", mcpServers: [] } }] },
  ],
  "needs-agent-info": [
    "INIT-008",
    { initializeProblem: ({ agentInfo }) => (agentInfo === undefined ? "who is that?" : undefined) },
  ],
  "needs-auth-methods": [
    "INIT-008",
    { initializeProblem: ({ authMethods }) => (authMethods === undefined ? "how to sign in?" : undefined) },
  ],
  "needs-capabilities": [
    "INIT-008",
    {
      initializeProblem: ({ agentCapabilities }) => (agentCapabilities === undefined ? "what can it do?" : undefined),
    },
  ],
  "takes-any-version": ["INIT-009", { initializeProblem: () => undefined }],
  "begins-after-a-malformed-answer": [
    "INIT-020",
    {
      resultProblem: (method, result) =>
        method === "initialize" ? undefined : rightClient.resultProblem(method, result),
      initializeProblem: ({ protocolVersion }) =>
        typeof protocolVersion === "number" && protocolVersion !== 1 ? "another version" : undefined,
    },
  ],
  "initializes-twice": [
    "INIT-021",
    { afterInitialize: () => [{ method: "initialize", params: rightClient.initializeParams() }] },
    { cases: ["initialize.minimal"] },
  ],
  "needs-a-token": ["AUTH-002", { authenticateProblem: ({ token }) => (token === undefined ? "no token" : undefined) }],
  "relative-cwd": [
    ["SESSION-008", "SCHEMA-session/new:params"],
    { sessionParams: () => ({ cwd: "project", mcpServers: [] }) },
  ],
  "no-mcp-servers": [["SESSION-008", "SCHEMA-session/new:params"], { sessionParams: (cwd) => ({ cwd }) }],
  "environment-as-object": [
    "SCHEMA-session/new:params",
    {
      sessionParams: (cwd) => ({
        cwd,
        mcpServers: [{ type: "stdio", name: "files", command: "/bin/true", args: [], env: { A: "1" } }],
      }),
    },
  ],
  "offers-http-servers": [
    "MCP-003",
    {
      sessionParams: (cwd) => ({
        cwd,
        mcpServers: [{ type: "http", name: "files", url: "http://127.0.0.1:1", headers: [] }],
      }),
    },
  ],
  "needs-modes": ["SESSION-010", { sessionProblem: ({ modes }) => (modes === undefined ? "no modes" : undefined) }],
  "needs-modes-of-the-loaded": [
    "SESSION-010",
    { sessionProblem: (result) => ("sessionId" in result || "modes" in result ? undefined : "no modes") },
    { cases: ["session.load"] },
  ],
  "loads-from-any-agent": ["SESSION-012", { mayLoad: () => true }],
  "sets-any-mode": ["MODE-006", { modeProblem: () => undefined }],
  "prompts-while-a-cancel-is-open": ["TURN-009", impatient],
  "prompt-of-its-own": [
    "TURN-011",
    { promptParams: (sessionId) => ({ sessionId, prompt: [{ type: "text", text: "Hello" }] }) },
  ],
  "bytes-as-text": [
    "SCHEMA-session/prompt:params",
    { promptParams: (sessionId, prompt) => plainBytes(rightClient.promptParams(sessionId, prompt)) },
    { collateral: ["TURN-011"] },
  ],
  "limits-do-not-end": ["TURN-012", { ends: ({ stopReason }) => stopReason !== "max_turn_requests" }],
  "stays-busy-after-a-refused-prompt": ["TURN-013", { ends: ({ error }) => error?.["code"] !== -32600 }],
  "one-turn-in-all": ["TURN-014", { whileBusy: () => "refuse" }],
  ...each(["audio", "image", "resource"], (type) => ({
    [`prompts-any-${type}`]: [
      "TURN-015",
      { mayPrompt: (block, can) => block["type"] === type || rightClient.mayPrompt(block, can) },
    ],
  })),
  "waits-for-a-dead-agent": ["TURN-016", { failsAtEnd: false }],
  "rejects-at-cancel": ["CANCEL-005", { permissionAtCancel: () => selected("reject_once") }],
  // The table says that it is a notification.
  "cancel-as-request": [
    "CANCEL-006",
    {
      cancelMessages: (sessionId, id) => [
        { jsonrpc: "2.0", id: id + 1000, method: "session/cancel", params: { sessionId } },
      ],
    },
    { collateral: ["SCHEMA-session/cancel:params"] },
  ],
  "allows-after-cancel": ["CANCEL-007", { permissionAfterCancel: () => undefined }],
  "dies-of-updates-after-cancel": [
    "CANCEL-008",
    { update: (_update, when) => (when === "cancelled" ? "die" : "survive") },
  ],
  "overlooks-updates-after-cancel": [
    "CANCEL-008",
    { update: (_update, when) => (when === "cancelled" ? "overlook" : "survive") },
    { cases: ["cancel.next-turn"] },
  ],
  "dies-of-errors-after-cancel": ["CANCEL-009", { atError: (_method, _error, after) => (after ? "die" : "survive") }],
  "answers-with-a-kind": [
    "PERM-005",
    { permissionResult: (option) => (option === undefined ? cancelled : selected(option["name"])) },
  ],
  "never-answers": ["PERM-005", { permissionResult: () => undefined }],
  "outcome-as-text": [
    "SCHEMA-session/request_permission:result",
    { permissionResult: (option) => ({ outcome: option === undefined ? "cancelled" : "selected" }) },
  ],
  "takes-the-first-option": ["PERM-006", { choose: (_policy, options) => options[0] }, { collateral: ["PERM-005"] }],
  "silent-in-unknown-sessions": ["PERM-007", { permissionOfUnknown: () => undefined }],
});
