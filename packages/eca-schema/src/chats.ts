import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { ChatContent, type ChatRole } from "./content.js";
import { type OpenEnum, openEnum } from "./extensible.js";
import { ChatId } from "./prompt.js";

/** Deletes a chat with all of its messages (#chat-delete). */
export interface ChatDeleteParams {
  chatId?: string | undefined;
}
export const ChatDeleteParams = schemaFor<ChatDeleteParams>()(z.looseObject({ chatId: z.optional(ChatId) }));

/** How a chat is. */
export type ChatStatus = OpenEnum<"idle" | "running" | "stopping" | "login">;
const status = openEnum(["idle", "running", "stopping", "login"]);

/** Takes messages of a chat back, from one message on. */
export interface ChatRollbackParams {
  chatId: string;
  contentId: string;
  include: OpenEnum<"messages" | "tools">[];
}
export const ChatRollbackParams = schemaFor<ChatRollbackParams>()(
  z.looseObject({ chatId: ChatId, contentId: z.string(), include: z.array(openEnum(["messages", "tools"])) }),
);

/** Clears parts of a chat, which stays. */
export interface ChatClearParams {
  chatId: string;
  messages?: boolean | undefined;
}
export const ChatClearParams = schemaFor<ChatClearParams>()(
  z.looseObject({ chatId: ChatId, messages: z.optional(z.boolean()) }),
);

/** Puts a named flag behind a message. */
export interface ChatAddFlagParams {
  chatId: string;
  contentId: string;
  text: string;
}
export const ChatAddFlagParams = schemaFor<ChatAddFlagParams>()(
  z.looseObject({ chatId: ChatId, contentId: z.string(), text: z.string() }),
);

/** Names one content of one chat: the flag to remove, or the last message of a fork. */
export interface ChatContentParams {
  chatId: string;
  contentId: string;
}
export const ChatContentParams = schemaFor<ChatContentParams>()(
  z.looseObject({ chatId: ChatId, contentId: z.string() }),
);

/** Changes what is known about a chat. */
export interface ChatUpdateParams {
  chatId: string;
  title?: string | undefined;
  trust?: boolean | undefined;
}
export const ChatUpdateParams = schemaFor<ChatUpdateParams>()(
  z.looseObject({ chatId: ChatId, title: z.optional(z.string()), trust: z.optional(z.boolean()) }),
);

/** Asks for the chats of the workspace. */
export interface ChatListParams {
  limit?: number | undefined;
  sortBy?: OpenEnum<"updatedAt" | "createdAt"> | undefined;
}
export const ChatListParams = schemaFor<ChatListParams>()(
  z.looseObject({ limit: z.optional(z.number()), sortBy: z.optional(openEnum(["updatedAt", "createdAt"])) }),
);

/** One chat of a list; times are in epoch milliseconds. */
export interface ChatSummary {
  id: string;
  title?: string | undefined;
  status: ChatStatus;
  createdAt?: number | undefined;
  updatedAt?: number | undefined;
  model?: string | undefined;
  messageCount: number;
}

/** The chats of the workspace. */
export interface ChatListResult {
  chats: ChatSummary[];
}
export const ChatListResult = schemaFor<ChatListResult>()(
  z.looseObject({
    chats: z.array(
      z.looseObject({
        id: z.string(),
        title: z.optional(z.string()),
        status,
        createdAt: z.optional(z.number()),
        updatedAt: z.optional(z.number()),
        model: z.optional(z.string()),
        messageCount: z.int(),
      }),
    ),
  }),
);

/**
 * Asks for a page of a chat: the last contents between two cursors, or the first ones with `after` alone. The cursors
 * come from an earlier answer's `meta`, and an old one is answered `cursor_expired`; `lastCompaction` names the place
 * where the server shortened what the model sees.
 */
export interface ChatHistoryParams {
  chatId: string;
  limit?: number | undefined;
  before?: string | undefined;
  after?: string | undefined;
}
export const ChatHistoryParams = schemaFor<ChatHistoryParams>()(
  z.looseObject({
    chatId: ChatId,
    limit: z.optional(z.number()),
    before: z.optional(z.string()),
    after: z.optional(z.string()),
  }),
);

/** Why a request failed, where servers say so inside of a result. */
export interface ResultError {
  /** A word, such as `cursor_expired`. */
  code: string;
  message: string;
  /** Anything that belongs to the code. */
  data?: unknown;
}
export const ResultError = schemaFor<ResultError>()(
  z.looseObject({ code: z.string(), message: z.string(), data: z.optional(z.unknown()) }),
);

/** The model, the agent and the other choices of a chat. */
export interface ChatSelection {
  model?: string | undefined;
  agent?: string | undefined;
  /** A preset of the model; null for none. */
  variant?: string | null | undefined;
  /** The presets that the model has. */
  variants?: string[] | undefined;
  /** Whether every tool call is approved. */
  trust?: boolean | undefined;
}
export const ChatSelection = schemaFor<ChatSelection>()(
  z.looseObject({
    model: z.optional(z.string()),
    agent: z.optional(z.string()),
    variant: z.optional(z.nullable(z.string())),
    variants: z.optional(z.array(z.string())),
    trust: z.optional(z.boolean()),
  }),
);

/** Where a page of a chat's past is. A cursor that is absent leads nowhere; servers of 2026 write null for it. */
export interface ChatHistoryMeta {
  /** Contents of the chat. */
  total: number;
  /** Contents of this page. */
  returned: number;
  /** For `before`: the page of what is older. */
  beforeCursor?: string | undefined;
  /** For `after`: the page of what is newer. */
  afterCursor?: string | undefined;
  /** Where the server shortened what the model sees; the page from there on has all that the model knows. */
  compactionCursor?: string | undefined;
}
export const ChatHistoryMeta = schemaFor<ChatHistoryMeta>()(
  z.looseObject({
    total: z.int(),
    returned: z.int(),
    beforeCursor: z.optional(z.string()),
    afterCursor: z.optional(z.string()),
    compactionCursor: z.optional(z.string()),
  }),
);

/** Whether a chat was found and played back, as contents before this answer. */
export interface ChatOpenResult {
  found: boolean;
  chatId?: string | undefined;
  title?: string | undefined;
  selection?: ChatSelection | undefined;
  meta?: ChatHistoryMeta | undefined;
  error?: ResultError | undefined;
}
export const ChatOpenResult = schemaFor<ChatOpenResult>()(
  z.looseObject({
    found: z.boolean(),
    chatId: z.optional(ChatId),
    title: z.optional(z.string()),
    selection: z.optional(ChatSelection),
    meta: z.optional(ChatHistoryMeta),
    error: z.optional(ResultError),
  }),
);

/** One content of a chat's past. */
export interface ChatHistoryContent {
  role: ChatRole;
  content: ChatContent;
  /** The chat that started this one as its subagent. */
  parentChatId?: string | undefined;
}
export const ChatHistoryContent = schemaFor<ChatHistoryContent>()(
  z.looseObject({
    role: openEnum(["user", "system", "assistant"]),
    content: ChatContent,
    parentChatId: z.optional(z.string()),
  }),
);

/** A page of a chat's past. */
export interface ChatHistoryResult {
  contents?: ChatHistoryContent[] | undefined;
  meta?: ChatHistoryMeta | undefined;
  error?: ResultError | undefined;
}
export const ChatHistoryResult = schemaFor<ChatHistoryResult>()(
  z.looseObject({
    contents: z.optional(z.array(ChatHistoryContent)),
    meta: z.optional(ChatHistoryMeta),
    error: z.optional(ResultError),
  }),
);

/** Parts of a chat are gone. */
export interface ChatClearedParams {
  chatId: string;
  messages: boolean;
}
export const ChatClearedParams = schemaFor<ChatClearedParams>()(
  z.looseObject({ chatId: ChatId, messages: z.boolean() }),
);

/** There is a chat, new or known. */
export interface ChatOpenedParams {
  chatId: string;
  title?: string | undefined;
}
export const ChatOpenedParams = schemaFor<ChatOpenedParams>()(
  z.looseObject({ chatId: ChatId, title: z.optional(z.string()) }),
);

/** A chat is in another state now. */
export interface ChatStatusChangedParams {
  chatId: string;
  status: ChatStatus;
}
export const ChatStatusChangedParams = schemaFor<ChatStatusChangedParams>()(z.looseObject({ chatId: ChatId, status }));

/** The user chose another agent; without a chat, for all of them. */
export interface ChatSelectedAgentChangedParams {
  chatId?: string | undefined;
  agent: string;
}
export const ChatSelectedAgentChangedParams = schemaFor<ChatSelectedAgentChangedParams>()(
  z.looseObject({ chatId: z.optional(ChatId), agent: z.string() }),
);

/** The user chose another model; without a chat, for all of them. */
export interface ChatSelectedModelChangedParams {
  chatId?: string | undefined;
  model: string;
  variant?: string | undefined;
}
export const ChatSelectedModelChangedParams = schemaFor<ChatSelectedModelChangedParams>()(
  z.looseObject({ chatId: z.optional(ChatId), model: z.string(), variant: z.optional(z.string()) }),
);

/** The user chose another behavior: the older name of `chat/selectedAgentChanged`. */
export interface ChatSelectedBehaviorChangedParams {
  behavior: string;
}
export const ChatSelectedBehaviorChangedParams = schemaFor<ChatSelectedBehaviorChangedParams>()(
  z.looseObject({ behavior: z.string() }),
);
