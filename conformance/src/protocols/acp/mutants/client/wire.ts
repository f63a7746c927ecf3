import { mutant } from "../../../../core/mutant.js";
import { inCharacters, withLineFeeds } from "../../../../packs/encodings.js";
import { sendMutants } from "../../../../packs/sends.js";
import { encodeFrame } from "../../../../wire/framing.js";
import { clientFacts } from "../../client-facts.js";
import type { Json } from "../../reference/agent-behavior.js";
import { chunkReader, framedChunkReader, headerReader, headersOnly, lineReader, smallReader } from "../readers.js";
import { answers, of, requests, rewrite } from "../rewrite.js";
import { patch } from "./patch.js";

const header = /^Content-Length: (\d+)\r\n(?:[^\r\n]+\r\n)*\r\n/;

/** What clients get wrong in bytes, JSON-RPC and the fields of messages. */
export const wireMutants = [
  mutant("acp.client/logs-on-stdin", {
    violates: ["ACP-FRAME-001"],
    patch: patch({
      encode: (message, framing) => Buffer.concat([Buffer.from("sending...\n"), encodeFrame(message, framing)]),
    }),
  }),
  mutant("acp.client/ends-headers-with-line-feeds", {
    violates: ["ACP-FRAME-001"],
    cases: ["acp.client.framing.*"],
    patch: patch({ encode: withLineFeeds }),
  }),
  mutant("acp.client/length-in-characters", {
    violates: ["ACP-FRAME-001"],
    cases: ["acp.client.turn.prompt"],
    patch: patch({ encode: (message) => inCharacters(message) }),
  }),
  mutant("acp.client/latin-1", {
    violates: ["ACP-FRAME-001"],
    patch: patch({ encode: (message) => Buffer.from(`${JSON.stringify(message)}\n`, "latin1") }),
  }),
  mutant("acp.client/writes-headers-reads-lines", {
    violates: ["ACP-FRAME-008"],
    patch: patch({ reader: lineReader }),
  }),
  mutant("acp.client/chunks-are-messages", {
    violates: ["ACP-FRAME-009"],
    patch: patch({ reader: () => chunkReader() }),
  }),
  mutant("acp.client/framed-chunks-are-messages", {
    violates: ["ACP-FRAME-009"],
    cases: ["acp.client.framing.headers-byte-by-byte"],
    patch: patch({ reader: () => framedChunkReader() }),
  }),
  mutant("acp.client/writes-lines-reads-headers", {
    violates: ["ACP-FRAME-008"],
    // What it does not read it does not answer.
    collateral: ["ACP-SESSION-008"],
    cases: ["acp.client.framing.lines"],
    patch: patch({ reader: () => headersOnly() }),
  }),
  mutant("acp.client/indented-json", {
    violates: ["ACP-FRAME-001"],
    patch: patch({ encode: (message) => Buffer.from(`${JSON.stringify(message, null, 2)}\n`) }),
  }),
  mutant("acp.client/one-message-a-chunk", {
    violates: ["ACP-FRAME-009"],
    patch: patch({ reader: () => chunkReader(1) }),
    cases: ["acp.client.framing.one-chunk"],
  }),
  mutant("acp.client/reads-length-in-characters", {
    violates: ["ACP-FRAME-010"],
    patch: patch({ reader: () => headerReader(header, "utf8") }),
  }),
  mutant("acp.client/header-in-one-case", {
    violates: ["ACP-FRAME-011"],
    patch: patch({ reader: () => headerReader(header, "latin1") }),
  }),
  mutant("acp.client/one-header", {
    violates: ["ACP-FRAME-011"],
    patch: patch({ reader: () => headerReader(/^Content-Length: (\d+)\r\n\r\n/i, "latin1") }),
  }),
  mutant("acp.client/small-buffer", {
    violates: ["ACP-FRAME-012"],
    patch: patch({ reader: () => smallReader(1024 * 1024) }),
  }),
  mutant("acp.client/reads-its-own-framing-only", {
    violates: ["ACP-FRAME-013"],
    cases: ["acp.client.framing.other", "acp.client.framing.lines", "acp.client.framing.headers"],
    patch: patch({
      reader: (framing) =>
        framing === "line"
          ? lineReader()
          : headerReader(/^(?:content-type:[^\r\n]*\r\n)?content-length: (\d+)\r\n(?:[^\r\n]+\r\n)*\r\n/i, "latin1"),
    }),
  }),

  mutant("acp.client/no-version-of-json-rpc", {
    violates: ["ACP-RPC-001"],
    patch: rewrite(
      () => true,
      ({ jsonrpc: _jsonrpc, ...rest }) => rest,
    ),
  }),
  mutant("acp.client/batches", { violates: ["ACP-RPC-001"], patch: rewrite(answers, (message) => [message]) }),
  mutant("acp.client/error-code-as-string", {
    violates: ["ACP-RPC-002"],
    collateral: ["ACP-RPC-011"],
    patch: rewrite(
      (message) => "error" in message,
      (message) => ({ ...message, error: { ...(message["error"] as Json), code: "-32601" } }),
    ),
  }),
  mutant("acp.client/error-as-text", {
    violates: ["ACP-RPC-002"],
    collateral: ["ACP-RPC-011"],
    patch: rewrite(
      (message) => "error" in message,
      (message) => ({ ...message, error: "unknown method" }),
    ),
  }),
  mutant("acp.client/ids-as-strings", {
    violates: ["ACP-RPC-003"],
    patch: rewrite(answers, (message) => ({ ...message, id: String(message["id"]) })),
  }),
  mutant("acp.client/every-answer-twice", {
    violates: ["ACP-RPC-004"],
    patch: patch({ outgoing: (message) => (answers(message) ? [message, message] : [message]) }),
  }),
  mutant("acp.client/one-id-for-all", {
    violates: ["ACP-RPC-005"],
    collateral: ["ACP-TURN-014"],
    cases: ["acp.client.turn.two-sessions"],
    patch: {
      ...rewrite(requests, (message) => ({ ...message, id: 7 })),
      ...patch({ match: (_id, open) => open.at(-1) }),
    },
  }),
  mutant("acp.client/silent-about-unknown-requests", {
    violates: ["ACP-RPC-011"],
    patch: patch({ unknownRequest: () => undefined }),
  }),
  mutant("acp.client/other-code-for-unknown-requests", {
    violates: ["ACP-RPC-011"],
    patch: patch({ unknownRequest: () => ({ code: -32600, message: "no" }) }),
  }),
  mutant("acp.client/takes-unknown-requests", {
    violates: ["ACP-RPC-011"],
    patch: rewrite(
      (message) => "error" in message,
      ({ id }) => ({ jsonrpc: "2.0", id, result: {} }),
    ),
  }),
  mutant("acp.client/answers-unknown-notifications", {
    violates: ["ACP-RPC-012"],
    patch: patch({
      unknownNotification: () => [{ jsonrpc: "2.0", id: null, error: { code: -32601, message: "unknown" } }],
    }),
  }),
  mutant("acp.client/dies-of-unknown-notifications", {
    violates: ["ACP-RPC-012"],
    collateral: ["ACP-ROBUST-007"],
    patch: patch({ unknownNotification: () => "die" }),
  }),
  mutant("acp.client/dies-of-refused-sessions", {
    violates: ["ACP-RPC-015"],
    patch: patch({ atError: (method) => (method === "session/new" ? "die" : "survive") }),
  }),
  mutant("acp.client/stays-busy-after-errors", {
    violates: ["ACP-RPC-015"],
    patch: patch({ ends: ({ error }) => error?.["code"] !== -32603 }),
  }),
  mutant("acp.client/dies-of-refused-modes", {
    violates: ["ACP-RPC-015"],
    patch: patch({ atError: (method) => (method === "session/set_mode" ? "die" : "survive") }),
  }),
  mutant("acp.client/dies-of-errors-without-id", {
    violates: ["ACP-RPC-016"],
    patch: patch({ strayAnswer: (id) => (id === null || id === undefined ? "die" : "survive") }),
  }),
  mutant("acp.client/dies-of-stray-answers", {
    violates: ["ACP-RPC-017"],
    patch: patch({ strayAnswer: (id) => (id === null || id === undefined ? "survive" : "die") }),
  }),
  mutant("acp.client/dies-of-noise", { violates: ["ACP-RPC-018"], patch: patch({ badBytes: () => "die" }) }),
  mutant("acp.client/silent-about-invalid-params", {
    violates: ["ACP-RPC-019"],
    patch: rewrite(
      (message) => (message["error"] as Json | undefined)?.["code"] === -32602,
      () => undefined,
    ),
  }),
  mutant("acp.client/dies-of-unknown-fields-of-updates", {
    violates: ["ACP-RPC-020"],
    patch: patch({
      update: (update) => (Object.keys((update ?? {}) as Json).includes("vendor-field") ? "die" : "survive"),
    }),
  }),
  mutant("acp.client/refuses-unknown-fields-of-agents", {
    violates: ["ACP-RPC-020"],
    patch: patch({ initializeProblem: (result) => ("vendor-field" in result ? "unknown field" : undefined) }),
  }),
  mutant("acp.client/first-asked-first-answered", {
    violates: ["ACP-RPC-021"],
    patch: patch({ match: (_id, open) => open[0] }),
  }),

  mutant("acp.client/version-as-string", {
    violates: ["ACP-SCHEMA-initialize:params"],
    patch: patch({ initializeParams: () => ({ protocolVersion: "1" }) }),
  }),
  mutant("acp.client/date-as-version", {
    violates: ["ACP-SCHEMA-initialize:params"],
    patch: patch({ initializeParams: () => ({ protocolVersion: "2024-11-05" }) }),
  }),
  mutant("acp.client/no-version", {
    violates: ["ACP-SCHEMA-initialize:params"],
    collateral: ["ACP-INFO-002"],
    patch: patch({ initializeParams: () => ({}) }),
  }),
  mutant("acp.client/no-method-of-authentication", {
    violates: ["ACP-SCHEMA-authenticate:params"],
    cases: ["acp.client.initialize.authenticate"],
    patch: patch({ authenticateParams: () => ({}) }),
  }),
  mutant("acp.client/prompt-as-text", {
    violates: ["ACP-SCHEMA-session/prompt:params"],
    patch: patch({ promptParams: (sessionId, prompt) => ({ sessionId, prompt }) }),
  }),
  mutant("acp.client/blocks-without-type", {
    violates: ["ACP-SCHEMA-session/prompt:params"],
    patch: patch({ promptParams: (sessionId, prompt) => ({ sessionId, prompt: [{ text: prompt }] }) }),
  }),
  mutant("acp.client/files-without-content", {
    violates: ["ACP-SCHEMA-session/prompt:params"],
    patch: patch({
      promptParams: (sessionId, prompt) => ({
        sessionId,
        prompt: Array.isArray(prompt)
          ? (prompt as Json[]).map((block) =>
              block["type"] === "resource" ? { type: "resource", resource: { uri: "file:///tmp/b.txt" } } : block,
            )
          : [{ type: "text", text: prompt }],
      }),
    }),
  }),
  mutant("acp.client/cancel-without-session", {
    violates: ["ACP-SCHEMA-session/cancel:params", "ACP-SESSION-009"],
    patch: rewrite(of("session/cancel"), () => ({ jsonrpc: "2.0", method: "session/cancel", params: {} })),
  }),
  ...sendMutants(clientFacts, {
    profile: "v1",
    // A session that is not named is not one that the agent opened, and a server without a type is not on stdio.
    collateral: ["ACP-SESSION-009", "ACP-MCP-003"],
    patch: (method, change) => rewrite(of(method), (message) => ({ ...message, params: change(message["params"]) })),
  }),
  mutant("acp.client/mode-without-id", {
    violates: ["ACP-SCHEMA-session/set_mode:params", "ACP-MODE-006"],
    patch: patch({ setModeParams: (sessionId) => ({ sessionId }) }),
  }),
  mutant("acp.client/load-without-servers", {
    violates: ["ACP-SCHEMA-session/load:params", "ACP-SESSION-008"],
    cases: ["acp.client.session.load"],
    patch: rewrite(of("session/load"), (message) => ({
      ...message,
      params: { ...(message["params"] as Json), mcpServers: undefined },
    })),
  }),
];
