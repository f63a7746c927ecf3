import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { ChatContent, type ChatRole } from "./content.js";
import { type Extensible, type OpenEnum, openEnum } from "./extensible.js";
import { ChatId } from "./prompt.js";

/** Forgets a chat with all that was said in it (#chat-delete). */
export interface ChatDeleteParams extends Extensible {
  chatId?: string | undefined;
}
export const ChatDeleteParams = schemaFor<ChatDeleteParams>()(z.looseObject({ chatId: z.optional(ChatId) }));

/** How a chat is. */
export type ChatStatus = OpenEnum<"idle" | "running" | "stopping" | "login">;
const status = openEnum(["idle", "running", "stopping", "login"]);

/** Takes messages of a chat back, from one message on. */
export interface ChatRollbackParams extends Extensible {
  chatId: string;
  contentId: string;
  include: OpenEnum<"messages" | "tools">[];
}
export const ChatRollbackParams = schemaFor<ChatRollbackParams>()(
  z.looseObject({ chatId: ChatId, contentId: z.string(), include: z.array(openEnum(["messages", "tools"])) }),
);

/** Clears parts of a chat, which stays. */
export interface ChatClearParams extends Extensible {
  chatId: string;
  messages?: boolean | undefined;
}
export const ChatClearParams = schemaFor<ChatClearParams>()(
  z.looseObject({ chatId: ChatId, messages: z.optional(z.boolean()) }),
);

/** Puts a named flag behind a message. */
export interface ChatAddFlagParams extends Extensible {
  chatId: string;
  contentId: string;
  text: string;
}
export const ChatAddFlagParams = schemaFor<ChatAddFlagParams>()(
  z.looseObject({ chatId: ChatId, contentId: z.string(), text: z.string() }),
);

/** Names one content of one chat: the flag to remove, or the last message of a fork. */
export interface ChatContentParams extends Extensible {
  chatId: string;
  contentId: string;
}
export const ChatContentParams = schemaFor<ChatContentParams>()(
  z.looseObject({ chatId: ChatId, contentId: z.string() }),
);

/** Changes what is known about a chat. */
export interface ChatUpdateParams extends Extensible {
  chatId: string;
  title?: string | undefined;
  trust?: boolean | undefined;
}
export const ChatUpdateParams = schemaFor<ChatUpdateParams>()(
  z.looseObject({ chatId: ChatId, title: z.optional(z.string()), trust: z.optional(z.boolean()) }),
);

/** Asks for the chats of the workspace. */
export interface ChatListParams extends Extensible {
  limit?: number | undefined;
  sortBy?: OpenEnum<"updatedAt" | "createdAt"> | undefined;
}
export const ChatListParams = schemaFor<ChatListParams>()(
  z.looseObject({ limit: z.optional(z.number()), sortBy: z.optional(openEnum(["updatedAt", "createdAt"])) }),
);

/** One chat of a list; times are in epoch milliseconds. */
export interface ChatSummary extends Extensible {
  id: string;
  title?: string | undefined;
  status: ChatStatus;
  createdAt?: number | undefined;
  updatedAt?: number | undefined;
  model?: string | undefined;
  messageCount: number;
}

/** The chats of the workspace. */
export interface ChatListResult extends Extensible {
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

/** Asks for a page of a chat; the cursors come from an earlier answer's `meta`. */
export interface ChatHistoryParams extends Extensible {
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
export interface ResultError extends Extensible {
  code?: string | number | undefined;
  message: string;
}
export const ResultError = schemaFor<ResultError>()(
  z.looseObject({ code: z.optional(z.union([z.string(), z.number()])), message: z.string() }),
);

/** Whether a chat was found and played back, as contents before this answer. */
export interface ChatOpenResult extends Extensible {
  found: boolean;
  chatId?: string | undefined;
  title?: string | undefined;
  selection?: Extensible | undefined;
  meta?: Extensible | undefined;
  error?: ResultError | undefined;
}
export const ChatOpenResult = schemaFor<ChatOpenResult>()(
  z.looseObject({
    found: z.boolean(),
    chatId: z.optional(ChatId),
    title: z.optional(z.string()),
    selection: z.optional(z.looseObject({})),
    meta: z.optional(z.looseObject({})),
    error: z.optional(ResultError),
  }),
);

/** One content of a chat's past. */
export interface ChatHistoryContent extends Extensible {
  role?: ChatRole | undefined;
  content?: ChatContent | undefined;
}

/** A page of a chat's past. */
export interface ChatHistoryResult extends Extensible {
  contents?: ChatHistoryContent[] | undefined;
  meta?: Extensible | undefined;
  error?: ResultError | undefined;
}
export const ChatHistoryResult = schemaFor<ChatHistoryResult>()(
  z.looseObject({
    contents: z.optional(
      z.array(
        z.looseObject({
          role: z.optional(openEnum(["user", "system", "assistant"])),
          content: z.optional(ChatContent),
        }),
      ),
    ),
    meta: z.optional(z.looseObject({})),
    error: z.optional(ResultError),
  }),
);

/** Parts of a chat are gone. */
export interface ChatClearedParams extends Extensible {
  chatId: string;
  messages?: boolean | undefined;
}
export const ChatClearedParams = schemaFor<ChatClearedParams>()(
  z.looseObject({ chatId: ChatId, messages: z.optional(z.boolean()) }),
);

/** There is a chat, new or known. */
export interface ChatOpenedParams extends Extensible {
  chatId: string;
  title?: string | undefined;
}
export const ChatOpenedParams = schemaFor<ChatOpenedParams>()(
  z.looseObject({ chatId: ChatId, title: z.optional(z.string()) }),
);

/** A chat is in another state now. */
export interface ChatStatusChangedParams extends Extensible {
  chatId: string;
  status: ChatStatus;
}
export const ChatStatusChangedParams = schemaFor<ChatStatusChangedParams>()(z.looseObject({ chatId: ChatId, status }));

/** The user chose another agent; without a chat, for all of them. */
export interface ChatSelectedAgentChangedParams extends Extensible {
  chatId?: string | undefined;
  agent: string;
}
export const ChatSelectedAgentChangedParams = schemaFor<ChatSelectedAgentChangedParams>()(
  z.looseObject({ chatId: z.optional(ChatId), agent: z.string() }),
);

/** The user chose another model; without a chat, for all of them. */
export interface ChatSelectedModelChangedParams extends Extensible {
  chatId?: string | undefined;
  model: string;
  variant?: string | undefined;
}
export const ChatSelectedModelChangedParams = schemaFor<ChatSelectedModelChangedParams>()(
  z.looseObject({ chatId: z.optional(ChatId), model: z.string(), variant: z.optional(z.string()) }),
);

/** The user chose another behavior: the older name of `chat/selectedAgentChanged`. */
export interface ChatSelectedBehaviorChangedParams extends Extensible {
  behavior: string;
}
export const ChatSelectedBehaviorChangedParams = schemaFor<ChatSelectedBehaviorChangedParams>()(
  z.looseObject({ behavior: z.string() }),
);
