import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { count, type Extensible, milliseconds } from "./fields.js";

// The messages beside tool calls, which the profile `v2` has.

/** The first message on a connection. */
export interface ConnectedParams extends Extensible {
  message?: string | undefined;
  /** The `sessionId` of the plugin's URL. */
  sessionId: string;
  projectKey: string;
  projectPath?: string | undefined;
  mode?: string | undefined;
  /** Milliseconds since 1970. */
  serverTime?: number | undefined;
  /** Such as `2.0`. */
  protocolVersion?: string | undefined;
}
export const ConnectedParams = schemaFor<ConnectedParams>()(
  z.looseObject({
    message: z.optional(z.string()),
    sessionId: z.string(),
    projectKey: z.string(),
    projectPath: z.optional(z.string()),
    mode: z.optional(z.string()),
    serverTime: z.optional(milliseconds),
    protocolVersion: z.optional(z.string()),
  }),
);

/** A sign of life, which `PONG` answers. */
export interface PingParams extends Extensible {
  /** Milliseconds since 1970. */
  timestamp?: number | undefined;
}
export const PingParams = schemaFor<PingParams>()(z.looseObject({ timestamp: z.optional(milliseconds) }));

/** The answer to a `PING`. */
export interface PongParams extends Extensible {
  /** The timestamp of the `PING`. */
  timestamp: number;
}
export const PongParams = schemaFor<PongParams>()(z.looseObject({ timestamp: milliseconds }));

/** The user's message. */
export interface AgentChatParams extends Extensible {
  message: string;
  /** Absent or empty: the `sessionId` of the plugin's URL. */
  sessionId?: string | undefined;
  projectKey?: string | undefined;
  projectPath?: string | undefined;
  mode?: string | undefined;
}
export const AgentChatParams = schemaFor<AgentChatParams>()(
  z.looseObject({
    message: z.string(),
    sessionId: z.optional(z.string()),
    projectKey: z.optional(z.string()),
    projectPath: z.optional(z.string()),
    mode: z.optional(z.string()),
  }),
);

/** Ends what the agent does for a session. `STOPPED` answers it. */
export interface StopParams extends Extensible {
  sessionId?: string | undefined;
}
export const StopParams = schemaFor<StopParams>()(z.looseObject({ sessionId: z.optional(z.string()) }));

/** The answer to a `STOP`. */
export interface StoppedParams extends Extensible {
  sessionId: string;
  message?: string | undefined;
  /** Milliseconds since 1970. */
  timestamp?: number | undefined;
}
export const StoppedParams = schemaFor<StoppedParams>()(
  z.looseObject({
    sessionId: z.string(),
    message: z.optional(z.string()),
    timestamp: z.optional(milliseconds),
  }),
);

/** A part of an answer. */
export interface StreamingContentParams extends Extensible {
  sessionId: string;
  content: string;
  /** Such as `markdown`. */
  contentType?: string | undefined;
  /** Counts the parts from 0. */
  chunkIndex?: number | undefined;
  isComplete?: boolean | undefined;
  workerId?: string | undefined;
}
export const StreamingContentParams = schemaFor<StreamingContentParams>()(
  z.looseObject({
    sessionId: z.string(),
    content: z.string(),
    contentType: z.optional(z.string()),
    chunkIndex: z.optional(count),
    isComplete: z.optional(z.boolean()),
    workerId: z.optional(z.string()),
  }),
);

/** An answer, or how far it is. */
export interface AgentResponseParams extends Extensible {
  sessionId: string;
  content: string;
  /**
   * `COMPLETED` and `SUCCESS` end the answer; so do `ERROR`, `FAILED` and `CANCELLED`. Any other text is progress.
   */
  status: string;
  workerId?: string | undefined;
  fallbackMode?: boolean | undefined;
  streamingComplete?: boolean | undefined;
}
export const AgentResponseParams = schemaFor<AgentResponseParams>()(
  z.looseObject({
    sessionId: z.string(),
    content: z.string(),
    status: z.string(),
    workerId: z.optional(z.string()),
    fallbackMode: z.optional(z.boolean()),
    streamingComplete: z.optional(z.boolean()),
  }),
);

/** A failure of the backend. The connection stays open. */
export interface ErrorParams extends Extensible {
  /** Such as `UNKNOWN_MESSAGE_TYPE`. */
  errorCode: string;
  errorMessage: string;
  /** Milliseconds since 1970. */
  timestamp?: number | undefined;
}
export const ErrorParams = schemaFor<ErrorParams>()(
  z.looseObject({ errorCode: z.string(), errorMessage: z.string(), timestamp: z.optional(milliseconds) }),
);

/** The codes of `ERROR` that a backend of `@editwire/sman` sends. */
export const SmanErrorCode = {
  /** A message without a `type`. */
  InvalidMessage: "INVALID_MESSAGE",
  /** A `type` that the plugin does not send. */
  UnknownMessageType: "UNKNOWN_MESSAGE_TYPE",
  /** A frame that is not JSON, or a message whose fields do not fit. */
  MessageParseError: "MESSAGE_PARSE_ERROR",
  /** The handler of a chat failed, or too many of them run. */
  ProcessingFailed: "PROCESSING_FAILED",
} as const;
