import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, id } from "./extensible.js";

/** Fields at the root of every message of the agent. */
export interface AgentEvent extends Extensible {
  /** The host's session, echoed; empty when the agent did not say. */
  session_id: string;
}

/** Seconds since 1970. Larger numbers are milliseconds, which the protocol does not have. */
const seconds = z.int().check(z.gte(0), z.lt(100_000_000_000, { error: "expected seconds, received milliseconds" }));

/** A thread was created for a session ("context_created"); once for each thread. */
export interface ContextCreatedParams extends AgentEvent {
  acp_thread_id: string;
  /** The same as `session_id`. */
  helix_session_id: string;
}
export const ContextCreatedParams = schemaFor<ContextCreatedParams>()(
  z.looseObject({ session_id: z.string(), acp_thread_id: id, helix_session_id: z.string() }).check(
    z.refine(({ session_id, helix_session_id }) => session_id === helix_session_id, {
      path: ["helix_session_id"],
      error: "expected the same as session_id",
    }),
  ),
);

/** Who a message is from; the specification has only `assistant`. */
export type MessageRole = "assistant" | "user" | "system";

/** The answer so far ("message_added"). It replaces the previous one with the same `message_id`. */
export interface MessageAddedParams extends AgentEvent {
  acp_thread_id: string;
  message_id: string;
  role: MessageRole;
  /** The whole text so far. */
  content: string;
  /** Seconds since 1970. */
  timestamp: number;
  request_id?: string | undefined;
  /** 2026: `text` or `tool_call`. */
  entry_type?: string | undefined;
  tool_name?: string | undefined;
  tool_status?: string | undefined;
}
export const MessageAddedParams = schemaFor<MessageAddedParams>()(
  z.looseObject({
    session_id: z.string(),
    acp_thread_id: id,
    message_id: z.string(),
    role: z.enum(["assistant", "user", "system"]),
    content: z.string(),
    timestamp: seconds,
    request_id: z.optional(z.string()),
    entry_type: z.optional(z.string()),
    tool_name: z.optional(z.string()),
    tool_status: z.optional(z.string()),
  }),
);

/** 2026: what a turn cost, in tokens. */
export interface Usage extends Extensible {
  total_tokens?: number | null | undefined;
  input_tokens?: number | null | undefined;
  output_tokens?: number | null | undefined;
  thought_tokens?: number | null | undefined;
  cached_read_tokens?: number | null | undefined;
  cached_write_tokens?: number | null | undefined;
}
const tokens = z.optional(z.nullable(z.number()));
export const Usage = schemaFor<Usage>()(
  z.looseObject({
    total_tokens: tokens,
    input_tokens: tokens,
    output_tokens: tokens,
    thought_tokens: tokens,
    cached_read_tokens: tokens,
    cached_write_tokens: tokens,
  }),
);

/** The answer to a request is complete ("message_completed"). */
export interface MessageCompletedParams extends AgentEvent {
  acp_thread_id: string;
  /** The last message of the answer; real agents send `"0"`. */
  message_id: string;
  /** The request's id, echoed; empty when the agent did not say. */
  request_id: string;
  agent_name?: string | undefined;
  usage?: Usage | null | undefined;
}
export const MessageCompletedParams = schemaFor<MessageCompletedParams>()(
  z.looseObject({
    session_id: z.string(),
    acp_thread_id: id,
    message_id: z.string(),
    request_id: z.string(),
    agent_name: z.optional(z.string()),
    usage: z.optional(z.nullable(Usage)),
  }),
);
