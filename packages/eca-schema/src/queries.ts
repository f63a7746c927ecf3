import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { ChatContext } from "./contexts.js";
import { type OpenEnum, openEnum } from "./extensible.js";
import { ChatId } from "./prompt.js";

/** Asks for contexts that fit a query; the empty one fits all (#chat-query-context). */
export interface ChatQueryContextParams {
  chatId?: string | undefined;
  query: string;
  /** The contexts that the user has already added. */
  contexts: ChatContext[];
}
export const ChatQueryContextParams = schemaFor<ChatQueryContextParams>()(
  z.looseObject({ chatId: z.optional(ChatId), query: z.string(), contexts: z.array(ChatContext) }),
);

/** The contexts that fit (#chat-query-context). */
export interface ChatQueryContextResult {
  chatId?: string | undefined;
  contexts: ChatContext[];
}
export const ChatQueryContextResult = schemaFor<ChatQueryContextResult>()(
  z.looseObject({ chatId: z.optional(ChatId), contexts: z.array(ChatContext) }),
);

/** Asks for files that fit a query, in `v2026`. */
export interface ChatQueryFilesParams {
  chatId?: string | undefined;
  query: string;
}
export const ChatQueryFilesParams = schemaFor<ChatQueryFilesParams>()(
  z.looseObject({ chatId: z.optional(ChatId), query: z.string() }),
);

/** The files that fit. */
export interface ChatQueryFilesResult {
  chatId?: string | undefined;
  files: ChatContext[];
}
export const ChatQueryFilesResult = schemaFor<ChatQueryFilesResult>()(
  z.looseObject({ chatId: z.optional(ChatId), files: z.array(ChatContext) }),
);

/** Asks for commands that fit a query; the empty one fits all (#chat-query-commands). */
export interface ChatQueryCommandsParams {
  chatId?: string | undefined;
  query: string;
}
export const ChatQueryCommandsParams = schemaFor<ChatQueryCommandsParams>()(
  z.looseObject({ chatId: z.optional(ChatId), query: z.string() }),
);

/** An argument of a command (#chat-query-commands). */
export interface ChatCommandArgument {
  name: string;
  description?: string | undefined;
  /** In `v2026`, it may be absent on the wire, and is then read as false. */
  required: boolean;
}

/** A command that the user can type as `/name` (#chat-query-commands). */
export interface ChatCommand {
  name: string;
  description: string;
  /** `spec` writes `mcp-prompt` for `mcpPrompt`; after reading, it is `mcpPrompt`. */
  type: OpenEnum<"mcpPrompt" | "native" | "customPrompt" | "skill">;
  arguments: ChatCommandArgument[];
}
export const ChatCommand = schemaFor<ChatCommand>()(
  z.looseObject({
    name: z.string(),
    description: z.string(),
    type: openEnum(["mcpPrompt", "native", "customPrompt", "skill"]),
    arguments: z.array(z.looseObject({ name: z.string(), description: z.optional(z.string()), required: z.boolean() })),
  }),
);

/** The commands that fit (#chat-query-commands). */
export interface ChatQueryCommandsResult {
  chatId?: string | undefined;
  commands: ChatCommand[];
}
export const ChatQueryCommandsResult = schemaFor<ChatQueryCommandsResult>()(
  z.looseObject({ chatId: z.optional(ChatId), commands: z.array(ChatCommand) }),
);
