import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import type { AgentEvent } from "./answer.js";
import { id } from "./extensible.js";

// Events of agents of 2025, which hosts of 2026 still read. A request_id says to which chat_message they belong.

const session_id = z.string();

/** 2025: the whole answer to a request, which it ends ("chat_response"). */
export interface ChatResponseParams extends AgentEvent {
  request_id: string;
  /** The whole text. */
  content: string;
}
export const ChatResponseParams = schemaFor<ChatResponseParams>()(
  z.looseObject({ session_id, request_id: id, content: z.string() }),
);

/** 2025: a piece of an answer, which is added to the pieces before it ("chat_response_chunk"). */
export interface ChatResponseChunkParams extends AgentEvent {
  request_id: string;
  /** The text to add. */
  chunk: string;
}
export const ChatResponseChunkParams = schemaFor<ChatResponseChunkParams>()(
  z.looseObject({ session_id, request_id: id, chunk: z.string() }),
);

/** 2025: an answer in pieces is complete ("chat_response_done"). */
export interface ChatResponseDoneParams extends AgentEvent {
  request_id: string;
}
export const ChatResponseDoneParams = schemaFor<ChatResponseDoneParams>()(
  z.looseObject({ session_id, request_id: id }),
);

/** 2025: a message of a thread has another text, which is not sent ("message_updated"). */
export interface MessageUpdatedParams extends AgentEvent {
  /** The thread. */
  context_id: string;
  message_id: string;
}
export const MessageUpdatedParams = schemaFor<MessageUpdatedParams>()(
  z.looseObject({ session_id, context_id: id, message_id: z.string() }),
);

/** 2025: `thread_title_changed` under its earlier name. */
export interface ContextTitleChangedParams extends AgentEvent {
  /** The thread. */
  context_id: string;
  new_title: string;
}
export const ContextTitleChangedParams = schemaFor<ContextTitleChangedParams>()(
  z.looseObject({ session_id, context_id: id, new_title: z.string() }),
);
