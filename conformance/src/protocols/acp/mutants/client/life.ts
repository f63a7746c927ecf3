import { mutant } from "../../../../core/mutant.js";
import { rightClient } from "../../reference/client-behavior.js";
import { patch } from "./patch.js";

const selected = (optionId: unknown): unknown => ({ outcome: { outcome: "selected", optionId } });
const cancelled = { outcome: { outcome: "cancelled" } };

/** A prompt whose bytes are sent as text. */
const plainBytes = (prompt: unknown): unknown =>
  JSON.parse(JSON.stringify(prompt), (name, value: unknown) =>
    (name === "blob" || name === "data") && typeof value === "string"
      ? Buffer.from(value, "base64").toString("latin1")
      : value,
  );

/** What clients get wrong with connections, sessions, turns, cancels and permissions. */
export const lifeMutants = [
  mutant("acp.client/authenticates-first", {
    violates: ["ACP-INIT-003"],
    patch: patch({ beforeInitialize: () => [{ method: "authenticate", params: { methodId: "token" } }] }),
  }),
  mutant("acp.client/does-not-wait-for-initialize", {
    violates: ["ACP-INIT-003", "ACP-SESSION-008"],
    patch: patch({ behindInitialize: () => [{ method: "session/new", params: { cwd: "/tmp", mcpServers: [] } }] }),
  }),
  mutant("acp.client/needs-agent-info", {
    violates: ["ACP-INIT-008"],
    patch: patch({ initializeProblem: ({ agentInfo }) => (agentInfo === undefined ? "who is that?" : undefined) }),
  }),
  mutant("acp.client/needs-auth-methods", {
    violates: ["ACP-INIT-008"],
    patch: patch({
      initializeProblem: ({ authMethods }) => (authMethods === undefined ? "how to sign in?" : undefined),
    }),
    cases: ["acp.client.initialize.minimal"],
  }),
  mutant("acp.client/needs-capabilities", {
    violates: ["ACP-INIT-008"],
    patch: patch({
      initializeProblem: ({ agentCapabilities }) => (agentCapabilities === undefined ? "what can it do?" : undefined),
    }),
  }),
  mutant("acp.client/takes-any-version", {
    violates: ["ACP-INIT-009"],
    patch: patch({ initializeProblem: () => undefined }),
  }),
  mutant("acp.client/begins-after-a-malformed-answer", {
    violates: ["ACP-INIT-020"],
    patch: patch({
      resultProblem: (method, result) =>
        method === "initialize" ? undefined : rightClient.resultProblem(method, result),
      initializeProblem: ({ protocolVersion }) =>
        typeof protocolVersion === "number" && protocolVersion !== 1 ? "another version" : undefined,
    }),
  }),
  mutant("acp.client/initializes-twice", {
    violates: ["ACP-INIT-021"],
    cases: ["acp.client.initialize.minimal"],
    patch: patch({
      afterInitialize: () => [{ method: "initialize", params: rightClient.initializeParams() }],
    }),
  }),
  mutant("acp.client/needs-a-token", {
    violates: ["ACP-AUTH-002"],
    patch: patch({ authenticateProblem: ({ token }) => (token === undefined ? "no token" : undefined) }),
  }),

  mutant("acp.client/relative-cwd", {
    violates: ["ACP-SESSION-008", "ACP-SCHEMA-session/new:params"],
    patch: patch({ sessionParams: () => ({ cwd: "project", mcpServers: [] }) }),
  }),
  mutant("acp.client/no-mcp-servers", {
    violates: ["ACP-SESSION-008", "ACP-SCHEMA-session/new:params"],
    patch: patch({ sessionParams: (cwd) => ({ cwd }) }),
  }),
  mutant("acp.client/mcp-servers-by-name", {
    violates: ["ACP-SESSION-008", "ACP-SCHEMA-session/new:params"],
    patch: patch({
      sessionParams: (cwd) => ({
        cwd,
        mcpServers: { files: { type: "stdio", command: "/bin/true", args: [], env: [] } },
      }),
    }),
  }),
  mutant("acp.client/environment-as-object", {
    violates: ["ACP-SCHEMA-session/new:params"],
    patch: patch({
      sessionParams: (cwd) => ({
        cwd,
        mcpServers: [{ type: "stdio", name: "files", command: "/bin/true", args: [], env: { A: "1" } }],
      }),
    }),
  }),
  mutant("acp.client/offers-http-servers", {
    violates: ["ACP-MCP-003"],
    patch: patch({
      sessionParams: (cwd) => ({
        cwd,
        mcpServers: [{ type: "http", name: "files", url: "http://127.0.0.1:1", headers: [] }],
      }),
    }),
  }),
  mutant("acp.client/cancels-all-sessions", {
    violates: ["ACP-SESSION-009"],
    patch: patch({
      cancelMessages: (sessionId, id) => [
        ...rightClient.cancelMessages(sessionId, id),
        ...rightClient.cancelMessages("another-session", id),
      ],
    }),
  }),
  mutant("acp.client/needs-modes", {
    violates: ["ACP-SESSION-010"],
    patch: patch({ sessionProblem: ({ modes }) => (modes === undefined ? "no modes" : undefined) }),
  }),
  mutant("acp.client/needs-modes-of-the-loaded", {
    violates: ["ACP-SESSION-010"],
    cases: ["acp.client.session.load"],
    patch: patch({ sessionProblem: (result) => ("sessionId" in result || "modes" in result ? undefined : "no modes") }),
  }),
  mutant("acp.client/loads-from-any-agent", { violates: ["ACP-SESSION-012"], patch: patch({ mayLoad: () => true }) }),
  mutant("acp.client/sets-any-mode", { violates: ["ACP-MODE-006"], patch: patch({ modeProblem: () => undefined }) }),

  mutant("acp.client/prompts-while-busy", { violates: ["ACP-TURN-009"], patch: patch({ whileBusy: () => "send" }) }),
  mutant("acp.client/prompt-of-its-own", {
    violates: ["ACP-TURN-011"],
    patch: patch({ promptParams: (sessionId) => ({ sessionId, prompt: [{ type: "text", text: "Hello" }] }) }),
  }),
  mutant("acp.client/prompt-in-ascii", {
    violates: ["ACP-TURN-011"],
    patch: patch({
      promptParams: (sessionId, prompt) => ({
        sessionId,
        prompt: [{ type: "text", text: String(prompt).replace(/[^ -~]/g, "?") }],
      }),
    }),
  }),
  mutant("acp.client/bytes-as-text", {
    violates: ["ACP-SCHEMA-session/prompt:params"],
    patch: patch({ promptParams: (sessionId, prompt) => ({ sessionId, prompt: plainBytes(prompt) }) }),
  }),
  mutant("acp.client/says-end-turn-always", {
    violates: ["ACP-TURN-017"],
    patch: patch({ told: () => "end_turn" }),
  }),
  mutant("acp.client/refusals-do-not-end", {
    violates: ["ACP-TURN-012"],
    patch: patch({ ends: ({ stopReason }) => stopReason !== "refusal" }),
  }),
  mutant("acp.client/limits-do-not-end", {
    violates: ["ACP-TURN-012"],
    patch: patch({ ends: ({ stopReason }) => stopReason !== "max_turn_requests" }),
  }),
  mutant("acp.client/stays-busy-after-a-refused-prompt", {
    violates: ["ACP-TURN-013"],
    patch: patch({ ends: ({ error }) => error?.["code"] !== -32600 }),
  }),
  mutant("acp.client/one-turn-in-all", { violates: ["ACP-TURN-014"], patch: patch({ whileBusy: () => "refuse" }) }),
  mutant("acp.client/prompts-anything", { violates: ["ACP-TURN-015"], patch: patch({ mayPrompt: () => true }) }),
  ...["audio", "image", "resource"].map((type) =>
    mutant(`acp.client/prompts-any-${type}`, {
      violates: ["ACP-TURN-015"],
      patch: patch({ mayPrompt: (block, can) => block["type"] === type || rightClient.mayPrompt(block, can) }),
    }),
  ),
  mutant("acp.client/prompts-in-blocks-of-its-own", {
    violates: ["ACP-TURN-015"],
    patch: patch({
      promptParams: (sessionId, prompt) => ({
        sessionId,
        prompt: [
          { type: "text", text: prompt },
          { type: "x_selection", from: 1, to: 2 },
        ],
      }),
    }),
  }),
  mutant("acp.client/waits-for-a-dead-agent", { violates: ["ACP-TURN-016"], patch: patch({ failsAtEnd: false }) }),

  mutant("acp.client/leaves-permission-open", {
    violates: ["ACP-CANCEL-005"],
    patch: patch({ permissionAtCancel: () => undefined }),
  }),
  mutant("acp.client/rejects-at-cancel", {
    violates: ["ACP-CANCEL-005"],
    patch: patch({ permissionAtCancel: () => selected("reject_once") }),
  }),
  mutant("acp.client/cancels-one-permission", {
    violates: ["ACP-CANCEL-005"],
    patch: patch({
      permissionAtCancel: ({ toolCall }) =>
        (toolCall as { toolCallId: string }).toolCallId === "call-1" ? cancelled : undefined,
    }),
  }),
  mutant("acp.client/cancel-as-request", {
    violates: ["ACP-CANCEL-006"],
    // The table says that it is a notification.
    collateral: ["ACP-SCHEMA-session/cancel:params"],
    patch: patch({
      cancelMessages: (sessionId, id) => [
        { jsonrpc: "2.0", id: id + 1000, method: "session/cancel", params: { sessionId } },
      ],
    }),
  }),
  mutant("acp.client/allows-after-cancel", {
    violates: ["ACP-CANCEL-007"],
    patch: patch({ permissionAfterCancel: () => undefined }),
  }),
  mutant("acp.client/dies-of-updates-after-cancel", {
    violates: ["ACP-CANCEL-008"],
    patch: patch({ update: (_update, when) => (when === "cancelled" ? "die" : "survive") }),
  }),
  mutant("acp.client/cancelled-turns-do-not-end", {
    violates: ["ACP-CANCEL-008", "ACP-TURN-012"],
    collateral: ["ACP-CANCEL-005", "ACP-CANCEL-006"],
    patch: patch({ ends: ({ stopReason }) => stopReason !== "cancelled" }),
  }),
  mutant("acp.client/dies-of-errors-after-cancel", {
    violates: ["ACP-CANCEL-009"],
    patch: patch({ atError: (_method, _error, after) => (after ? "die" : "survive") }),
  }),

  mutant("acp.client/answers-with-a-kind", {
    violates: ["ACP-PERM-005"],
    patch: patch({ permissionResult: (option) => (option === undefined ? cancelled : selected(option["name"])) }),
  }),
  mutant("acp.client/answers-what-was-not-offered", {
    violates: ["ACP-PERM-005"],
    patch: patch({
      permissionResult: (option) =>
        option === undefined ? selected("reject_once") : rightClient.permissionResult(option),
    }),
  }),
  mutant("acp.client/never-answers", {
    violates: ["ACP-PERM-005"],
    patch: patch({ permissionResult: () => undefined }),
  }),
  mutant("acp.client/outcome-as-text", {
    violates: ["ACP-SCHEMA-session/request_permission:result", "ACP-PERM-005"],
    patch: patch({ permissionResult: (option) => ({ outcome: option === undefined ? "cancelled" : "selected" }) }),
  }),
  mutant("acp.client/selected-without-option", {
    violates: ["ACP-SCHEMA-session/request_permission:result", "ACP-PERM-005"],
    patch: patch({ permissionResult: () => ({ outcome: { outcome: "selected" } }) }),
  }),
  mutant("acp.client/takes-the-first-option", {
    violates: ["ACP-PERM-006"],
    collateral: ["ACP-PERM-005"],
    patch: patch({ choose: (_policy, options) => options[0] }),
  }),
  mutant("acp.client/chooses-by-id", {
    violates: ["ACP-PERM-006"],
    patch: patch({ choose: (policy, options) => options.find(({ optionId }) => String(optionId).startsWith(policy)) }),
  }),
  mutant("acp.client/silent-in-unknown-sessions", {
    violates: ["ACP-PERM-007"],
    patch: patch({ permissionOfUnknown: () => undefined }),
  }),
];
