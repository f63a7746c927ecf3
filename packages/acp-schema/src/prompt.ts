import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { ContentBlock } from "./content.js";
import { type Extensible, meta } from "./extensible.js";
import { SessionId } from "./session-id.js";

/** Every reason why a turn ends (section 11). */
export const stopReasons = ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"] as const;
/** Why a turn ended. */
export type StopReason = (typeof stopReasons)[number];

/** Starts a turn; a session runs one at a time (section 5.5). */
export interface PromptParams extends Extensible {
  sessionId: string;
  prompt: ContentBlock[];
}
export const PromptParams = schemaFor<PromptParams>()(
  z.looseObject({ sessionId: SessionId, prompt: z.array(ContentBlock), _meta: meta }),
);

/** The end of a turn (section 5.5). */
export interface PromptResult extends Extensible {
  stopReason: StopReason;
}
export const PromptResult = schemaFor<PromptResult>()(z.looseObject({ stopReason: z.enum(stopReasons), _meta: meta }));
