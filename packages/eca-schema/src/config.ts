import { schemaFor } from "@editwire/core";
import * as z from "zod";
import type { Extensible } from "./extensible.js";
import { ChatId } from "./prompt.js";

/** What the user can choose in chats, and what is chosen; an absent field did not change. */
export interface ChatConfig extends Extensible {
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
export interface ConfigUpdatedParams extends Extensible {
  chatId?: string | undefined;
  chat?: ChatConfig | undefined;
}
const names = z.array(z.string()).optional();
const name = z.string().optional();
export const ConfigUpdatedParams = schemaFor<ConfigUpdatedParams>()(
  z.looseObject({
    chatId: ChatId.optional(),
    chat: z
      .looseObject({
        models: names,
        agents: names,
        selectModel: name,
        selectAgent: name,
        variants: names,
        selectVariant: z.string().nullable().optional(),
        selectTrust: z.boolean().optional(),
        welcomeMessage: name,
        behaviors: names,
        selectBehavior: name,
      })
      .optional(),
  }),
);
