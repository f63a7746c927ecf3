import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { ChatContext } from "./contexts.js";
import { type OpenEnum, openEnum } from "./extensible.js";

/** The id of a chat: any string that is not blank. Clients mint UUIDs, or leave it to the server. */
export const ChatId = schemaFor<string>()(
  z.string().check(z.regex(/\S/, { error: "expected a string that is not blank" })),
);

/** Starts a turn, in a chat that goes on or in a new one (#chat-prompt). */
export interface ChatPromptParams {
  /** Absent for a new chat whose id the server makes. */
  chatId?: string | undefined;
  /** Older servers repeat it with every content of the turn. */
  requestId?: string | number | undefined;
  message: string;
  model?: string | undefined;
  /** How the chat works, such as `agent` or `plan`. */
  behavior?: string | undefined;
  /** The name of `behavior` in `v2026`; after reading, both are there. */
  agent?: string | undefined;
  contexts?: ChatContext[] | undefined;
  /** A preset of the model, in `v2026`. */
  variant?: string | undefined;
  /** Approves every tool call, in `v2026`. */
  trust?: boolean | undefined;
}
export const ChatPromptParams = schemaFor<ChatPromptParams>()(
  z.looseObject({
    chatId: z.optional(ChatId),
    requestId: z.optional(z.union([z.string(), z.number()])),
    message: z.string(),
    model: z.optional(z.string()),
    behavior: z.optional(z.string()),
    agent: z.optional(z.string()),
    contexts: z.optional(z.array(ChatContext)),
    variant: z.optional(z.string()),
    trust: z.optional(z.boolean()),
  }),
);

/** That the turn runs; it ends with a `progress` content that is `finished`, not with this (#chat-prompt). */
export interface ChatPromptResult {
  chatId: string;
  /** Empty where no model was asked, such as after a login. */
  model: string;
  /** `success` in `spec`, the others in `v2026`. */
  status: OpenEnum<"success" | "prompting" | "login" | "error" | "idle">;
}
export const ChatPromptResult = schemaFor<ChatPromptResult>()(
  z.looseObject({
    chatId: ChatId,
    model: z.string(),
    status: openEnum(["success", "prompting", "login", "error", "idle"]),
  }),
);

/** Lets a waiting tool call run (#chat-approve-tool-call). */
export interface ChatToolCallApproveParams {
  /** Empty from a client that has lost it, as Emacs does. A server then finds the call by its own id. */
  chatId: string;
  toolCallId: string;
  /** Approves every later call of the tool in this session, in `v2026`. */
  save?: OpenEnum<"session"> | undefined;
}
export const ChatToolCallApproveParams = schemaFor<ChatToolCallApproveParams>()(
  z.looseObject({ chatId: z.string(), toolCallId: z.string(), save: z.optional(openEnum(["session"])) }),
);

/** Keeps a waiting tool call from running (#chat-reject-tool-call). */
export interface ChatToolCallRejectParams {
  /** Empty from a client that has lost it, as Emacs does. A server then finds the call by its own id. */
  chatId: string;
  toolCallId: string;
}
export const ChatToolCallRejectParams = schemaFor<ChatToolCallRejectParams>()(
  z.looseObject({ chatId: z.string(), toolCallId: z.string() }),
);

/** Ends the running turn (#chat-stop-prompt). */
export interface ChatPromptStopParams {
  /** Empty from a client that has lost it, as Emacs does. A server then stops the only turn that it can be. */
  chatId: string;
}
export const ChatPromptStopParams = schemaFor<ChatPromptStopParams>()(z.looseObject({ chatId: z.string() }));

/** Adds a message to the running turn, in `v2026`. */
export interface ChatPromptSteerParams {
  chatId: string;
  message: string;
}
export const ChatPromptSteerParams = schemaFor<ChatPromptSteerParams>()(
  z.looseObject({ chatId: ChatId, message: z.string() }),
);

/** Names one chat. */
export interface ChatParams {
  chatId: string;
}
export const ChatParams = schemaFor<ChatParams>()(z.looseObject({ chatId: ChatId }));

/** Asks the user something during a turn, in `v2026`. */
export interface ChatAskQuestionParams {
  chatId: string;
  question: string;
  options?: ChatAskQuestionOption[] | undefined;
  toolCallId?: string | undefined;
  /** Whether the user may answer in their own words. */
  allowFreeform: boolean;
}

/** One answer to choose. */
export interface ChatAskQuestionOption {
  label: string;
  description?: string | undefined;
}
export const ChatAskQuestionParams = schemaFor<ChatAskQuestionParams>()(
  z.looseObject({
    chatId: ChatId,
    question: z.string(),
    options: z.optional(z.array(z.looseObject({ label: z.string(), description: z.optional(z.string()) }))),
    toolCallId: z.optional(z.string()),
    allowFreeform: z.boolean(),
  }),
);

/** The user's answer. */
export interface ChatAskQuestionResult {
  /** Null when cancelled. */
  answer: string | null;
  cancelled: boolean;
}
export const ChatAskQuestionResult = schemaFor<ChatAskQuestionResult>()(
  z.looseObject({ answer: z.nullable(z.string()), cancelled: z.boolean() }),
);
