import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { ChatId } from "./prompt.js";

/** The choices for chats, and the selected ones; an absent field did not change. */
export interface ChatConfig {
  models?: string[] | undefined;
  agents?: string[] | undefined;
  selectModel?: string | undefined;
  selectAgent?: string | undefined;
  variants?: string[] | undefined;
  /** Null for none. */
  selectVariant?: string | null | undefined;
  selectTrust?: boolean | undefined;
  welcomeMessage?: string | undefined;
  /** The older names, for clients of 2025. */
  behaviors?: string[] | undefined;
  selectBehavior?: string | undefined;
}

/** The configuration changed: of one chat, or of all without a `chatId`. */
export interface ConfigUpdatedParams {
  chatId?: string | undefined;
  chat?: ChatConfig | undefined;
}
const names = z.optional(z.array(z.string()));
const name = z.optional(z.string());
export const ConfigUpdatedParams = schemaFor<ConfigUpdatedParams>()(
  z.looseObject({
    chatId: z.optional(ChatId),
    chat: z.optional(
      z.looseObject({
        models: names,
        agents: names,
        selectModel: name,
        selectAgent: name,
        variants: names,
        selectVariant: z.optional(z.nullable(z.string())),
        selectTrust: z.optional(z.boolean()),
        welcomeMessage: name,
        behaviors: names,
        selectBehavior: name,
      }),
    ),
  }),
);
