import type { Model, ReplyListener } from "@editwire/example-coding-agent";
import type { KaiakServerTurn } from "@editwire/kaiak";

/** How the model's words reach the client. */
export interface ExplanationOptions {
  /** False drops them. */
  readonly wanted: boolean;
  /** Sends each answer in one piece, because several are written at once. */
  readonly whole: boolean;
}

/** A model whose answers go to the client as well. The last chunk of each answer is not partial. */
export function explaining(model: Model, turn: KaiakServerTurn, { wanted, whole }: ExplanationOptions): Model {
  if (!wanted) return model;
  return {
    async reply(question, listener, signal) {
      let held = "";
      const explainer: ReplyListener = {
        async text(chunk) {
          if (held !== "" && !whole) await turn.text(held, { partial: true });
          held = whole ? held + chunk : chunk;
          await listener.text(chunk);
        },
        thought: (text) => turn.thought(text),
      };
      const reply = await model.reply(question, explainer, signal);
      if (held !== "" && !signal.aborted)
        await turn.text(held, reply.usage === undefined ? {} : { tokens: reply.usage.output });
      return reply;
    },
  };
}
