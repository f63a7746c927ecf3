import type { InteractionRespondParams, UserMessageParams } from "./interactions.js";
import type { InteractionType } from "./stream.js";

/** An answer to a question of the server. */
export interface Answer {
  readonly sessionId: string;
  readonly questionId: string;
  readonly type: InteractionType;
  readonly answer: string;
  /** The JSON Schema of the answer, where the server sent one. */
  readonly schema: unknown;
}

/** A request that carries an answer. */
export type AnswerMessage =
  | { readonly method: "kaiak/interaction/respond"; readonly params: InteractionRespondParams }
  | { readonly method: "kaiak/client/user_message"; readonly params: UserMessageParams };

/** Answers with `kaiak/interaction/respond`. */
export function respondAnswer({ questionId, type, answer }: Answer): AnswerMessage {
  return {
    method: "kaiak/interaction/respond",
    params: { interaction_id: questionId, response_type: type, response_data: { response: answer } },
  };
}
