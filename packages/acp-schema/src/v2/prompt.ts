import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "../extensible.js";
import { SessionId } from "../session-id.js";
import { V2ContentBlock } from "./content.js";

/** Sends a message of the user (prompt-lifecycle#1-user-message). */
export interface V2PromptParams extends Extensible {
  sessionId: string;
  /** At least one block. */
  prompt: V2ContentBlock[];
  /** 1 to 255 characters. A second prompt with the key of an earlier one inserts nothing (crate schema 1.20). */
  idempotencyKey?: string | undefined;
}
export const V2PromptParams = schemaFor<V2PromptParams>()(
  z.looseObject({
    sessionId: SessionId,
    prompt: z.array(V2ContentBlock).check(z.minLength(1)),
    idempotencyKey: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
    _meta: meta,
  }),
);

/** The message is in the conversation. It says nothing about the work that follows: a `state_update` tells its end. */
export interface V2PromptResult extends Extensible {
  /** Of the message's `user_message`. Empty: the agent follows an older draft, and did not say. */
  messageId: string;
}
export const V2PromptResult = schemaFor<V2PromptResult>()(z.looseObject({ messageId: z.string(), _meta: meta }));
