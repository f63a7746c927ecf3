import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, type OpenEnum, openEnum } from "./extensible.js";
import { ChatId } from "./prompt.js";
import {
  ToolCalledContent,
  ToolCallPrepareContent,
  ToolCallRejectedContent,
  ToolCallRunContent,
  ToolCallRunningContent,
} from "./tool-calls.js";

/** Text of the user, the model or the server, by the role beside it; pieces follow each other verbatim. */
export interface TextContent {
  type: "text";
  text: string;
  /** Names a user's message, for rollbacks and forks; in `v2026`. */
  contentId?: string | undefined;
}
export const TextContent = schemaFor<TextContent>()(
  z.looseObject({ type: z.literal("text"), text: z.string(), contentId: z.optional(z.string()) }),
);

/** The server's progress. `finished` ends the turn. */
export interface ProgressContent {
  type: "progress";
  state: OpenEnum<"running" | "finished">;
  text?: string | undefined;
}
export const ProgressContent = schemaFor<ProgressContent>()(
  z.looseObject({
    type: z.literal("progress"),
    state: openEnum(["running", "finished"]),
    text: z.optional(z.string()),
  }),
);

/** The model begins to think. */
export interface ReasonStartedContent {
  type: "reasonStarted";
  /** Unique in its chat. */
  id: string;
}
export const ReasonStartedContent = schemaFor<ReasonStartedContent>()(
  z.looseObject({ type: z.literal("reasonStarted"), id: z.string() }),
);

/** A piece of what the model thinks. */
export interface ReasonTextContent {
  type: "reasonText";
  id: string;
  text: string;
}
export const ReasonTextContent = schemaFor<ReasonTextContent>()(
  z.looseObject({ type: z.literal("reasonText"), id: z.string(), text: z.string() }),
);

/** The model has thought. */
export interface ReasonFinishedContent {
  type: "reasonFinished";
  id: string;
  totalTimeMs?: number | undefined;
}
export const ReasonFinishedContent = schemaFor<ReasonFinishedContent>()(
  z.looseObject({ type: z.literal("reasonFinished"), id: z.string(), totalTimeMs: z.optional(z.number()) }),
);

/** A picture, in `v2026`. */
export interface ImageContent {
  type: "image";
  mediaType: string;
  base64: string;
}
export const ImageContent = schemaFor<ImageContent>()(
  z.looseObject({ type: z.literal("image"), mediaType: z.string(), base64: z.string() }),
);

/** A link. */
export interface URLContent {
  type: "url";
  title: string;
  url: string;
}
export const URLContent = schemaFor<URLContent>()(
  z.looseObject({ type: z.literal("url"), title: z.string(), url: z.string() }),
);

/** The limits of a model, in tokens. */
export interface UsageLimit {
  context: number;
  output: number;
}
export const UsageLimit = schemaFor<UsageLimit>()(z.looseObject({ context: z.number(), output: z.number() }));

/** Tokens of one part of the model's context, and how to show them. */
export interface ContextCategory {
  name: string;
  tokens: number;
  /** A color of CSS, such as `#61afef`. */
  color: string;
  emoji: string;
}

/** The parts of the model's context, in tokens; in `v2026`. */
export interface ContextBreakdown {
  categories: ContextCategory[];
  usedTokens: number;
  freeTokens?: number | undefined;
  contextLimit?: number | undefined;
  freeColor?: string | undefined;
  freeEmoji?: string | undefined;
}
export const ContextBreakdown = schemaFor<ContextBreakdown>()(
  z.looseObject({
    categories: z.array(z.looseObject({ name: z.string(), tokens: z.number(), color: z.string(), emoji: z.string() })),
    usedTokens: z.number(),
    freeTokens: z.optional(z.number()),
    contextLimit: z.optional(z.number()),
    freeColor: z.optional(z.string()),
    freeEmoji: z.optional(z.string()),
  }),
);

/** Tokens and costs. Costs are text, such as `0.01`. */
export interface UsageContent {
  type: "usage";
  /** Required in `spec`; written as 0 there when absent. */
  messageInputTokens?: number | undefined;
  /** Required in `spec`; written as 0 there when absent. */
  messageOutputTokens?: number | undefined;
  /** All tokens of the chat so far in `spec`; those of its last request, which fill the context, in `v2026`. */
  sessionTokens: number;
  messageCost?: string | undefined;
  /** The name of `messageCost` in `v2026`; after reading, both are there. */
  lastMessageCost?: string | undefined;
  sessionCost?: string | undefined;
  limit?: UsageLimit | undefined;
  /** How full the context is, in percent, when the server shortens the chat; in `v2026`. */
  autoCompactPercentage?: number | undefined;
  contextBreakdown?: ContextBreakdown | undefined;
}
export const UsageContent = schemaFor<UsageContent>()(
  z.looseObject({
    type: z.literal("usage"),
    messageInputTokens: z.optional(z.number()),
    messageOutputTokens: z.optional(z.number()),
    sessionTokens: z.number(),
    messageCost: z.optional(z.string()),
    lastMessageCost: z.optional(z.string()),
    sessionCost: z.optional(z.string()),
    limit: z.optional(UsageLimit),
    autoCompactPercentage: z.optional(z.number()),
    contextBreakdown: z.optional(ContextBreakdown),
  }),
);

/** A hook of the user begins to run, in `v2026`. */
export interface HookActionStartedContent {
  type: "hookActionStarted";
  id: string;
  name: string;
  actionType: OpenEnum<"shell">;
}
const hook = { id: z.string(), name: z.string(), actionType: openEnum(["shell"]) };
export const HookActionStartedContent = schemaFor<HookActionStartedContent>()(
  z.looseObject({ type: z.literal("hookActionStarted"), ...hook }),
);

/** A hook of the user ran, in `v2026`. */
export interface HookActionFinishedContent {
  type: "hookActionFinished";
  id: string;
  name: string;
  actionType: OpenEnum<"shell">;
  /** The exit code. */
  status: number;
  output?: string | undefined;
  error?: string | undefined;
  /** The tool call that the hook is about. */
  toolCallId?: string | undefined;
}
export const HookActionFinishedContent = schemaFor<HookActionFinishedContent>()(
  z.looseObject({
    type: z.literal("hookActionFinished"),
    ...hook,
    status: z.number(),
    output: z.optional(z.string()),
    error: z.optional(z.string()),
    toolCallId: z.optional(z.string()),
  }),
);

/** The title of the chat, in `v2026`. */
export interface MetadataContent {
  type: "metadata";
  title: string;
}
export const MetadataContent = schemaFor<MetadataContent>()(
  z.looseObject({ type: z.literal("metadata"), title: z.string() }),
);

/** A named place in a chat, in `v2026`. */
export interface FlagContent {
  type: "flag";
  text: string;
  contentId: string;
}
export const FlagContent = schemaFor<FlagContent>()(
  z.looseObject({ type: z.literal("flag"), text: z.string(), contentId: z.string() }),
);

/** Content of a type that this version does not know; it is kept as it came. */
export interface UnknownContent extends Extensible {
  type: UnknownTag;
}

/** One thing that happens in a chat (#chat-content-received). */
export type ChatContent =
  | TextContent
  | ProgressContent
  | ReasonStartedContent
  | ReasonTextContent
  | ReasonFinishedContent
  | URLContent
  | ImageContent
  | UsageContent
  | HookActionStartedContent
  | HookActionFinishedContent
  | MetadataContent
  | FlagContent
  | ToolCallPrepareContent
  | ToolCallRunContent
  | ToolCallRunningContent
  | ToolCalledContent
  | ToolCallRejectedContent
  | UnknownContent;

export const ChatContent = openUnion<ChatContent>("type", {
  text: TextContent,
  progress: ProgressContent,
  reasonStarted: ReasonStartedContent,
  reasonText: ReasonTextContent,
  reasonFinished: ReasonFinishedContent,
  url: URLContent,
  image: ImageContent,
  usage: UsageContent,
  hookActionStarted: HookActionStartedContent,
  hookActionFinished: HookActionFinishedContent,
  metadata: MetadataContent,
  flag: FlagContent,
  toolCallPrepare: ToolCallPrepareContent,
  toolCallRun: ToolCallRunContent,
  toolCallRunning: ToolCallRunningContent,
  toolCalled: ToolCalledContent,
  toolCallRejected: ToolCallRejectedContent,
});

/** Whose content it is. */
export type ChatRole = OpenEnum<"user" | "system" | "assistant">;

/** Reports what happens in a chat (#chat-content-received). */
export interface ChatContentReceivedParams {
  chatId: string;
  role: ChatRole;
  content: ChatContent;
  /** The chat that started this one as its subagent, in `v2026`. */
  parentChatId?: string | undefined;
  /** The `requestId` of the prompt, as older servers repeat it. */
  requestId?: string | number | undefined;
}
export const ChatContentReceivedParams = schemaFor<ChatContentReceivedParams>()(
  z.looseObject({
    chatId: ChatId,
    role: openEnum(["user", "system", "assistant"]),
    content: ChatContent,
    parentChatId: z.optional(z.string()),
    requestId: z.optional(z.union([z.string(), z.number()])),
  }),
);
