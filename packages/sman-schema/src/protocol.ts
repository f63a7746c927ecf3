import { defineProtocol, notification, type ParamsOf, type Protocol, request } from "@editwire/core";
import * as talk from "./conversation.js";
import { ToolCallParams, ToolResult } from "./tool-call.js";

/** The messages of the specification. */
const specified = {
  TOOL_CALL: request({
    from: "backend",
    params: ToolCallParams,
    result: ToolResult,
    reply: { name: "TOOL_RESULT", by: "toolCallId", aliases: ["callId", "tool_call_id"] },
    spec: "#1-tool_call-backend--ide-plugin",
  }),
};

/** The messages that sman has besides. */
const added = {
  CONNECTED: notification({ from: "backend", params: talk.ConnectedParams }),
  PING: notification({ from: "plugin", params: talk.PingParams }),
  PONG: notification({ from: "backend", params: talk.PongParams }),
  STOP: notification({ from: "plugin", params: talk.StopParams }),
  STOPPED: notification({ from: "backend", params: talk.StoppedParams }),
  AGENT_CHAT: notification({ from: "plugin", params: talk.AgentChatParams }),
  AGENT_RESPONSE: notification({ from: "backend", params: talk.AgentResponseParams }),
  STREAMING_CONTENT: notification({ from: "backend", params: talk.StreamingContentParams }),
  ERROR: notification({ from: "backend", params: talk.ErrorParams }),
};

const methods = { ...specified, ...added };

/** The names of the messages that the specification does not have. */
export const addedMessages: readonly string[] = Object.keys(added);

type Table = typeof methods;
/** The message table, as an interface so that compiler messages name it instead of spelling it out. */
export interface SmanMethods extends Table {}

/** The protocol as a type, for `ParamsOf` and `Handlers`. */
export type Sman = Protocol<"backend" | "plugin", SmanMethods>;

/** The params of a message, by its name: `SmanParams<"TOOL_CALL">`. */
export type SmanParams<Method extends keyof SmanMethods> = ParamsOf<Sman, Method>;

/**
 * The WebSocket Tool Protocol: every message with its sender and params. `TOOL_RESULT` is the result of `TOOL_CALL`.
 * The anchors are headings of the specification.
 */
export const sman: Sman = defineProtocol({
  name: "sman",
  version: "1.0.1",
  roles: ["backend", "plugin"],
  session: "webSocketSessionId",
  methods,
});
