import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import type { AgentEvent } from "./answer.js";
import { id } from "./extensible.js";

const session_id = z.string();

/** 2026: `context_created` under its later name. */
export interface ThreadCreatedParams extends AgentEvent {
  acp_thread_id: string;
  request_id?: string | undefined;
  title?: string | null | undefined;
}
export const ThreadCreatedParams = schemaFor<ThreadCreatedParams>()(
  z.looseObject({
    session_id,
    acp_thread_id: id,
    request_id: z.optional(z.string()),
    title: z.optional(z.nullable(z.string())),
  }),
);

/** 2026: the agent takes messages now; it may send this more than once. */
export interface AgentReadyParams extends AgentEvent {
  agent_name: string;
  /** The thread that is ready; null for the agent itself. */
  thread_id: string | null;
}
export const AgentReadyParams = schemaFor<AgentReadyParams>()(
  z.looseObject({ session_id, agent_name: z.string(), thread_id: z.nullable(z.string()) }),
);

/** 2026: the user began a thread on the agent's side. */
export interface UserCreatedThreadParams extends AgentEvent {
  acp_thread_id: string;
  title?: string | null | undefined;
}
export const UserCreatedThreadParams = schemaFor<UserCreatedThreadParams>()(
  z.looseObject({ session_id, acp_thread_id: id, title: z.optional(z.nullable(z.string())) }),
);

/** 2026: a thread has another title. */
export interface ThreadTitleChangedParams extends AgentEvent {
  acp_thread_id: string;
  title: string;
}
export const ThreadTitleChangedParams = schemaFor<ThreadTitleChangedParams>()(
  z.looseObject({ session_id, acp_thread_id: id, title: z.string() }),
);

/** 2026: the thread that a request names cannot be used; ends the request. */
export interface ThreadLoadErrorParams extends AgentEvent {
  acp_thread_id: string;
  request_id: string;
  error: string;
}
export const ThreadLoadErrorParams = schemaFor<ThreadLoadErrorParams>()(
  z.looseObject({ session_id, acp_thread_id: z.string(), request_id: z.string(), error: z.string() }),
);

/** 2026: a turn failed; ends the request. */
export interface ChatResponseErrorParams extends AgentEvent {
  request_id: string;
  error: string;
}
export const ChatResponseErrorParams = schemaFor<ChatResponseErrorParams>()(
  z.looseObject({ session_id, request_id: z.string(), error: z.string() }),
);

/** 2026: the answer to a `cancel_current_turn`; it comes before the turn's `message_completed`. */
export interface TurnCancelledParams extends AgentEvent {
  request_id: string;
  /** `noop`: no such turn was running. */
  status: "cancelled" | "noop";
}
export const TurnCancelledParams = schemaFor<TurnCancelledParams>()(
  z.looseObject({ session_id, request_id: z.string(), status: z.enum(["cancelled", "noop"]) }),
);

/** 2026: a sign of life. */
export interface PingParams extends AgentEvent {
  timestamp?: number | undefined;
}
export const PingParams = schemaFor<PingParams>()(z.looseObject({ session_id, timestamp: z.optional(z.number()) }));
