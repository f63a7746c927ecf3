import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { id, type Open, openText } from "./fields.js";

/** Answers an interaction (`kaiak/interaction/respond`), the way of the contract before this one. */
export interface InteractionRespondParams {
  interaction_id: string;
  /** The type of the interaction, such as `file_approval`. */
  response_type?: string | undefined;
  /** The answer: a text, or an object with a text in `response`. */
  response_data?: unknown;
}
export const InteractionRespondParams = schemaFor<InteractionRespondParams>()(
  z.looseObject({
    interaction_id: id,
    response_type: z.optional(z.string()),
    response_data: z.optional(z.unknown()),
  }),
);

/** A message of the client during a run (`kaiak/client/user_message`), the later way to answer. */
export interface UserMessageParams {
  session_id: string;
  kind: Open<"user_input" | "control_signal" | "tool_confirmation" | "elicitation_response">;
  timestamp?: string | undefined;
  /** For an answer: `request_id` names the interaction, `action` or `user_data` is the answer. */
  payload?: Record<string, unknown> | undefined;
}
export const UserMessageParams = schemaFor<UserMessageParams>()(
  z.looseObject({
    session_id: id,
    kind: openText<UserMessageParams["kind"]>(),
    timestamp: z.optional(z.string()),
    payload: z.optional(z.record(z.string(), z.unknown())),
  }),
);

/** An answer that was taken. */
export interface InteractionResult {
  success?: boolean | undefined;
  message?: string | undefined;
}
export const InteractionResult = schemaFor<InteractionResult>()(
  z.looseObject({ success: z.optional(z.boolean()), message: z.optional(z.string()) }),
);
