import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "../extensible.js";
import { V2ContentBlock } from "./content.js";
import { metaPatch, type Patch, patch, type Upsert } from "./patch.js";

/** Whose message it is. Each has ids of its own. */
type Author = "user_message" | "agent_message" | "agent_thought";

/**
 * A message as a whole, or what is new about it. An array replaces all content before it, that of chunks too; null and
 * an empty array clear it.
 */
export interface MessageUpdate<Kind extends Author = Author> extends Upsert {
  sessionUpdate: Kind;
  messageId: string;
  content?: Patch<V2ContentBlock[]>;
}

/** A block that is appended to a message, whose first mention it may be. */
export interface MessageChunk<Kind extends Author = Author> extends Extensible {
  sessionUpdate: `${Kind}_chunk`;
  messageId: string;
  content: V2ContentBlock;
}

const whole = { messageId: z.string(), content: patch(z.array(V2ContentBlock)), _meta: metaPatch };
const chunk = { messageId: z.string(), content: V2ContentBlock, _meta: meta };

/** The schemas of the updates that make up the conversation. */
export const messageUpdates = {
  user_message: schemaFor<MessageUpdate<"user_message">>()(
    z.looseObject({ sessionUpdate: z.literal("user_message"), ...whole }),
  ),
  agent_message: schemaFor<MessageUpdate<"agent_message">>()(
    z.looseObject({ sessionUpdate: z.literal("agent_message"), ...whole }),
  ),
  agent_thought: schemaFor<MessageUpdate<"agent_thought">>()(
    z.looseObject({ sessionUpdate: z.literal("agent_thought"), ...whole }),
  ),
  user_message_chunk: schemaFor<MessageChunk<"user_message">>()(
    z.looseObject({ sessionUpdate: z.literal("user_message_chunk"), ...chunk }),
  ),
  agent_message_chunk: schemaFor<MessageChunk<"agent_message">>()(
    z.looseObject({ sessionUpdate: z.literal("agent_message_chunk"), ...chunk }),
  ),
  agent_thought_chunk: schemaFor<MessageChunk<"agent_thought">>()(
    z.looseObject({ sessionUpdate: z.literal("agent_thought_chunk"), ...chunk }),
  ),
};
