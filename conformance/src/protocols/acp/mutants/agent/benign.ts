import { isObject } from "@editwire/core";
import { benignForms } from "../../../../packs/benign.js";
import { mutant } from "../../../../core/mutant.js";
import { encodeFrame } from "../../../../wire/framing.js";
import { type AgentBehavior, type AgentSession, type Json, rightAgent } from "../../reference/agent-behavior.js";
import type { HttpBehavior } from "../../reference/http.js";
import { isAnswer, rewrite } from "../../../../packs/rewrites.js";
import { v1Agent } from "../../reference/v1.js";
import { benign, benignInV1, patch } from "./patch.js";

const everything = { violates: [], cases: ["*"] } as const;
const http = (switches: Partial<HttpBehavior>): Partial<HttpBehavior> => switches;
const bytes = (text: string): Uint8Array => Buffer.from(text);
const right = (): Json => rightAgent.initializeResult({}) as Json;
const LATE_MS = 4;

/** The same updates, with others beside them or in other pieces. */
const updatesOf = (change: (update: Json) => readonly Json[]) => patch({ updates: change });
const isA = (kind: string, update: Json): boolean => update["sessionUpdate"] === kind;
const textOf = (update: Json): unknown => (update["content"] as Json)["text"];

/** Additions to results by unstable forms of the official dialect. */
const models = { models: { availableModels: [{ modelId: "large", name: "Large" }], currentModelId: "large" } };
const unstable: Readonly<Record<string, Json>> = {
  "session/new": models,
  "session/load": models,
  "session/resume": models,
  "session/prompt": { usage: { inputTokens: 3, outputTokens: 1, totalTokens: 4 } },
};

/** Reports on a session that agents may send at any time. */
const commandsOf = (sessionId: string): Json => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId, update: { sessionUpdate: "available_commands_update", availableCommands: [] } },
});

/** Refuses to load a session that is open. */
function loadsWhatIsClosed(): Partial<AgentBehavior> {
  const closed = new Set<AgentSession>();
  const isOpen = Symbol("open");
  return {
    other(method, params, session, sessions) {
      if (method === "session/close" && session !== undefined) closed.add(session);
      return v1Agent.other(method, params, session, sessions);
    },
    loadSessionResult: (session, modes) => (closed.delete(session) ? { modes } : isOpen),
    outgoing: ({ result, ...message }) =>
      result === isOpen
        ? [{ ...message, error: { code: -32602, message: "the session is loaded already" } }]
        : [{ ...message, ...(result === undefined ? {} : { result }) }],
  };
}

const onTheWire = [
  ...benignForms("acp.agent"),
  ...benignInV1({
    "late-commands": {
      cancel: (session) =>
        session === undefined || session.turn !== undefined ? rightAgent.cancel(session) : [commandsOf(session.id)],
    },
    "early-commands": {
      outgoing: (message) =>
        isObject(message["result"]) && typeof message["result"]["sessionId"] === "string"
          ? [commandsOf(message["result"]["sessionId"]), message]
          : [message],
    },
    "loads-what-is-closed": loadsWhatIsClosed,
    v1: {},
    "v1-knows-version-2": {
      initializeResult: (params: Json) =>
        Number(params["protocolVersion"]) > 1
          ? {
              protocolVersion: 2,
              info: { name: "agent", version: "2" },
              authMethods: [{ methodId: "key", name: "Key" }],
            }
          : v1Agent.initializeResult(params),
    },
    "v1-meta-in-results": {
      result: (_method: string, result: unknown) =>
        isObject(result) ? { ...result, _meta: { "x.example": 1 } } : result,
    },
    "v1-unstable-fields": {
      result: (method: string, result: unknown) => ({ ...(result as Json), ...unstable[method] }),
    },
  }),
  ...benign({
    "more-headers": {
      encode(message, framing) {
        if (framing === "line") return encodeFrame(message, framing);
        const body = Buffer.from(JSON.stringify(message));
        return Buffer.concat([
          bytes(`content-type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n`),
          body,
        ]);
      },
    },
    crlf: {
      encode: (message, framing) =>
        framing === "line" ? bytes(`${JSON.stringify(message)}\r\n`) : encodeFrame(message, framing),
    },
    halves: {
      write(chunk, put) {
        put(chunk.subarray(0, chunk.length / 2));
        put(chunk.subarray(chunk.length / 2));
      },
    },
    slow: { write: (chunk, put) => void setTimeout(put, LATE_MS, chunk) },
    "own-fields": {
      outgoing(message) {
        const part = "params" in message ? "params" : "result";
        const fields = message[part] as Json | undefined;
        // A result that has to be empty stays so.
        if (fields === undefined || Object.keys(fields).length === 0) return [{ ...message, "x-vendor": 1 }];
        return [{ ...message, [part]: { ...fields, "x-vendor": 1, _meta: { traceparent: "00" } } }];
      },
    },
    "own-notifications": {
      outgoing: (message) =>
        isAnswer(message)
          ? [{ jsonrpc: "2.0", method: "_vendor/answers", params: { id: message["id"] } }, message]
          : [message],
    },
    "error-texts": rewrite(
      (message) => "error" in message,
      ({ error, ...message }) => ({ ...message, error: { code: (error as Json)["code"], message: "", data: null } }),
    ),
  }),
];

const inLife = benign({
  anonymous: {
    initializeResult() {
      const { protocolVersion, agentCapabilities } = right();
      const { mcpCapabilities: _, ...capabilities } = agentCapabilities as Json;
      return { protocolVersion, agentCapabilities: capabilities };
    },
  },
  "loads-nothing": {
    initializeResult: () => ({
      ...right(),
      agentCapabilities: { ...(right()["agentCapabilities"] as Json), loadSession: false },
    }),
    unknownSession: (method) =>
      method === "session/load" ? { code: -32601, message: "not supported" } : rightAgent.unknownSession(method),
  },
  "no-modes": { newSessionResult: ({ id }) => ({ sessionId: id }), loadSessionResult: () => ({}) },
  "session-ids": { sessionId: (count) => `sess/${count} – "ä"\u{1f600}` },
  replays: { replay: (history) => history },
  "empty-meta": { updates: (update) => [{ ...update, _meta: null }] },
  // The specification's own dialect accepts it.
  "signs-in-without-a-method": { authenticateProblem: () => undefined },
  "other-code-for-mcp": {
    mcpServersProblem: (servers, method) =>
      rightAgent.mcpServersProblem(servers, method) && { code: -32602, message: "only stdio" },
  },
});

const inTurns = benign({
  "single-characters": updatesOf((update) =>
    isA("agent_message_chunk", update)
      ? [...String(textOf(update))].map((text) => ({ ...update, content: { type: "text", text } }))
      : [update],
  ),
  "empty-chunks": updatesOf((update) =>
    isA("agent_message_chunk", update) ? [{ ...update, content: { type: "text", text: "" } }, update] : [update],
  ),
  "no-echo": updatesOf((update) => (isA("user_message_chunk", update) ? [] : [update])),
  "plans-always": updatesOf((update) =>
    isA("user_message_chunk", update) ? [update, { sessionUpdate: "plan", entries: [] }] : [update],
  ),
  "tells-its-mode": updatesOf((update) =>
    isA("user_message_chunk", update)
      ? [update, { sessionUpdate: "current_mode_update", currentModeId: "full" }]
      : [update],
  ),
  "bare-output": updatesOf((update) => [
    isA("tool_call_update", update) && Array.isArray(update["content"])
      ? { ...update, content: (update["content"] as Json[]).map(({ content }) => content) }
      : update,
  ]),
  "few-fields": updatesOf(({ kind: _k, locations: _l, rawInput: _i, rawOutput: _o, ...update }) => [
    isA("tool_call_update", update) ? { ...update, rawOutput: null } : update,
  ]),
  "more-tool-updates": updatesOf((update) =>
    isA("tool_call", update)
      ? [update, { sessionUpdate: "tool_call_update", toolCallId: update["toolCallId"] }]
      : [update],
  ),
  "request-ids": { requestId: (count) => `ask-${count}` },
  "waits-for-the-answer-at-cancel": { cancelsRequests: () => false },
});

/** The same JSON over several lines, each a `data:` line of one event. */
function dataLines(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 1).replaceAll(/^/gm, "data:").replaceAll("\n", "\r\n");
}

const onHttp = [
  mutant("acp.agent/benign-http", {
    ...everything,
    http: http({ taken: () => 200, contentType: "Text/Event-Stream; Charset=UTF-8" }),
  }),
  mutant("acp.agent/benign-events-with-cr", {
    ...everything,
    http: http({ greeting: ":\r\r", event: (json) => `data: ${json}\r\r` }),
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
