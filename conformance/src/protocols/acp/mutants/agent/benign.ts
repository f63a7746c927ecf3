import { benignForms } from "../../../../packs/benign.js";
import { mutant } from "../../../../core/mutant.js";
import { encodeFrame } from "../../../../wire/framing.js";
import { type Json, rightAgent } from "../../reference/agent-behavior.js";
import { v1Agent } from "../../reference/v1.js";
import type { HttpBehavior } from "../../reference/http.js";
import { answers, rewrite } from "../rewrite.js";
import { patch } from "./patch.js";

const everything = { violates: [], cases: ["*"] } as const;
const http = (switches: Partial<HttpBehavior>): Partial<HttpBehavior> => switches;
const bytes = (text: string): Uint8Array => Buffer.from(text);
const right = (): Json => rightAgent.initializeResult({}) as Json;
const LATE_MS = 4;

/** The same updates, with others beside them or in other pieces. */
const updatesOf = (change: (update: Json) => readonly Json[]) => ({ ...everything, patch: patch({ updates: change }) });
const isA = (kind: string, update: Json): boolean => update["sessionUpdate"] === kind;
const textOf = (update: Json): unknown => (update["content"] as Json)["text"];

const onTheWire = [
  ...benignForms("acp.agent"),
  mutant("acp.agent/benign-v1", { ...everything, profile: "v1", patch: v1Agent }),
  mutant("acp.agent/benign-more-headers", {
    ...everything,
    patch: patch({
      encode(message, framing) {
        if (framing === "line") return encodeFrame(message, framing);
        const body = Buffer.from(JSON.stringify(message));
        return Buffer.concat([
          bytes(`content-type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n`),
          body,
        ]);
      },
    }),
  }),
  mutant("acp.agent/benign-crlf", {
    ...everything,
    patch: patch({
      encode: (message, framing) =>
        framing === "line" ? bytes(`${JSON.stringify(message)}\r\n`) : encodeFrame(message, framing),
    }),
  }),
  mutant("acp.agent/benign-halves", {
    ...everything,
    patch: patch({
      write(chunk, put) {
        put(chunk.subarray(0, chunk.length / 2));
        put(chunk.subarray(chunk.length / 2));
      },
    }),
  }),
  mutant("acp.agent/benign-slow", {
    ...everything,
    patch: patch({ write: (chunk, put) => void setTimeout(put, LATE_MS, chunk) }),
  }),
  mutant("acp.agent/benign-own-fields", {
    ...everything,
    patch: patch({
      outgoing(message) {
        const part = "params" in message ? "params" : "result";
        const fields = message[part] as Json | undefined;
        // A result that has to be empty stays so.
        if (fields === undefined || Object.keys(fields).length === 0) return [{ ...message, "x-vendor": 1 }];
        return [{ ...message, [part]: { ...fields, "x-vendor": 1, _meta: { traceparent: "00" } } }];
      },
    }),
  }),
  mutant("acp.agent/benign-own-notifications", {
    ...everything,
    patch: patch({
      outgoing: (message) =>
        answers(message)
          ? [{ jsonrpc: "2.0", method: "_vendor/answers", params: { id: message["id"] } }, message]
          : [message],
    }),
  }),
  mutant("acp.agent/benign-error-texts", {
    ...everything,
    patch: rewrite(
      (message) => "error" in message,
      ({ error, ...message }) => ({ ...message, error: { code: (error as Json)["code"], message: "", data: null } }),
    ),
  }),
];

const inLife = [
  mutant("acp.agent/benign-anonymous", {
    ...everything,
    patch: patch({
      initializeResult() {
        const { protocolVersion, agentCapabilities } = right();
        const { mcpCapabilities: _, ...capabilities } = agentCapabilities as Json;
        return { protocolVersion, agentCapabilities: capabilities };
      },
    }),
  }),
  mutant("acp.agent/benign-loads-nothing", {
    ...everything,
    patch: patch({
      initializeResult: () => ({
        ...right(),
        agentCapabilities: { ...(right()["agentCapabilities"] as Json), loadSession: false },
      }),
      unknownSession: (method) =>
        method === "session/load" ? { code: -32601, message: "not supported" } : rightAgent.unknownSession(method),
    }),
  }),
  mutant("acp.agent/benign-no-modes", {
    ...everything,
    patch: patch({ newSessionResult: ({ id }) => ({ sessionId: id }), loadSessionResult: () => ({}) }),
  }),
  mutant("acp.agent/benign-session-ids", {
    ...everything,
    patch: patch({ sessionId: (count) => `sess/${count} – "ä"\u{1f600}` }),
  }),
  mutant("acp.agent/benign-replays", { ...everything, patch: patch({ replay: (history) => history }) }),
  mutant("acp.agent/benign-other-code-for-mcp", {
    ...everything,
    patch: patch({
      mcpServersProblem: (servers, method) =>
        rightAgent.mcpServersProblem(servers, method) && { code: -32602, message: "only stdio" },
    }),
  }),
];

const inTurns = [
  mutant(
    "acp.agent/benign-single-characters",
    updatesOf((update) =>
      isA("agent_message_chunk", update)
        ? [...String(textOf(update))].map((text) => ({ ...update, content: { type: "text", text } }))
        : [update],
    ),
  ),
  mutant(
    "acp.agent/benign-empty-chunks",
    updatesOf((update) =>
      isA("agent_message_chunk", update) ? [{ ...update, content: { type: "text", text: "" } }, update] : [update],
    ),
  ),
  mutant(
    "acp.agent/benign-no-echo",
    updatesOf((update) => (isA("user_message_chunk", update) ? [] : [update])),
  ),
  mutant(
    "acp.agent/benign-plans-always",
    updatesOf((update) =>
      isA("user_message_chunk", update) ? [update, { sessionUpdate: "plan", entries: [] }] : [update],
    ),
  ),
  mutant(
    "acp.agent/benign-tells-its-mode",
    updatesOf((update) =>
      isA("user_message_chunk", update)
        ? [update, { sessionUpdate: "current_mode_update", currentModeId: "full" }]
        : [update],
    ),
  ),
  mutant(
    "acp.agent/benign-bare-output",
    updatesOf((update) => [
      isA("tool_call_update", update) && Array.isArray(update["content"])
        ? { ...update, content: (update["content"] as Json[]).map(({ content }) => content) }
        : update,
    ]),
  ),
  mutant(
    "acp.agent/benign-few-fields",
    updatesOf(({ kind: _k, locations: _l, rawInput: _i, rawOutput: _o, ...update }) => [
      isA("tool_call_update", update) ? { ...update, rawOutput: null } : update,
    ]),
  ),
  mutant(
    "acp.agent/benign-more-tool-updates",
    updatesOf((update) =>
      isA("tool_call", update)
        ? [update, { sessionUpdate: "tool_call_update", toolCallId: update["toolCallId"] }]
        : [update],
    ),
  ),
  mutant("acp.agent/benign-request-ids", { ...everything, patch: patch({ requestId: (count) => `ask-${count}` }) }),
  mutant("acp.agent/benign-waits-for-the-answer-at-cancel", {
    ...everything,
    patch: patch({ cancelsRequests: () => false }),
  }),
];

/** The same JSON over several lines, each a `data:` line of one event. */
function dataLines(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 1).replaceAll(/^/gm, "data:").replaceAll("\n", "\r\n");
}

const onHttp = [
  mutant("acp.agent/benign-http", {
    ...everything,
    http: http({ taken: () => 200, contentType: "text/event-stream; charset=utf-8" }),
  }),
  mutant("acp.agent/benign-events", {
    ...everything,
    http: http({
      greeting: ":\r\n\r\n",
      event: (json) => `event: message\r\nid: 1\r\nretry: 1000\r\n${dataLines(json)}\r\n\r\n`,
    }),
  }),
];

/** Agents that are as right as the reference in a way of their own: nothing may be held against them. */
export const benignAgents = [...onTheWire, ...inLife, ...inTurns, ...onHttp];
