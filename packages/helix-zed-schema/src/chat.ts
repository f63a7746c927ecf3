import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, id } from "./extensible.js";

/** A user's message, new or follow-up ("chat_message"). */
export interface ChatMessageParams extends Extensible {
  /** The host's session. */
  helix_session_id: string;
  /** The agent's thread; null in the first message of a session. */
  acp_thread_id: string | null;
  message: string;
  /** Unique; the completion echoes it. */
  request_id: string;
  /** 2026: which agent should answer. */
  agent_name?: string | undefined;
  /** 2026: cancels the running turn of the thread first. */
  interrupt?: boolean | undefined;
  /** 2026: the host's record of this message and its answer. */
  interaction_id?: string | null | undefined;
  /** 2026: the host wants to know which files the turn changes. */
  track_code_changes?: boolean | null | undefined;
  /** 2026: the message waited in the host's queue. */
  from_queue?: boolean | null | undefined;
  /** 2026: the host asks the agent to go on with its last answer. */
  is_continue?: boolean | null | undefined;
}
export const ChatMessageParams = schemaFor<ChatMessageParams>()(
  z.looseObject({
    helix_session_id: id,
    acp_thread_id: z.nullable(id),
    message: z.string(),
    request_id: id,
    agent_name: z.optional(z.string()),
    interrupt: z.optional(z.boolean()),
    interaction_id: z.optional(z.nullable(z.string())),
    track_code_changes: z.optional(z.nullable(z.boolean())),
    from_queue: z.optional(z.nullable(z.boolean())),
    is_continue: z.optional(z.nullable(z.boolean())),
  }),
);

/** 2026: shows a thread, and loads it if need be. */
export interface OpenThreadParams extends Extensible {
  acp_thread_id: string;
  request_id?: string | undefined;
  agent_name?: string | undefined;
}
export const OpenThreadParams = schemaFor<OpenThreadParams>()(
  z.looseObject({ acp_thread_id: id, request_id: z.optional(z.string()), agent_name: z.optional(z.string()) }),
);

/** 2026: ends the turn of a request. */
export interface CancelCurrentTurnParams extends Extensible {
  request_id: string;
}
export const CancelCurrentTurnParams = schemaFor<CancelCurrentTurnParams>()(z.looseObject({ request_id: id }));
