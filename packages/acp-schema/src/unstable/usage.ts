import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { count, type Extensible, meta } from "../extensible.js";
import { PromptResult } from "../prompt.js";
import { extended } from "./extended.js";

/** The tokens of a turn. */
export interface TurnUsage extends Extensible {
  totalTokens: number;
  inputTokens: number;
  outputTokens: number;
  thoughtTokens?: number | undefined;
  cachedReadTokens?: number | undefined;
  cachedWriteTokens?: number | undefined;
}
export const TurnUsage = schemaFor<TurnUsage>()(
  z.looseObject({
    totalTokens: count,
    inputTokens: count,
    outputTokens: count,
    thoughtTokens: z.optional(count),
    cachedReadTokens: z.optional(count),
    cachedWriteTokens: z.optional(count),
    _meta: meta,
  }),
);

/** The end of a turn, with what is unstable. */
export interface UnstablePromptResult extends PromptResult {
  usage?: TurnUsage | undefined;
}
export const UnstablePromptResult = extended<UnstablePromptResult>()(PromptResult, { usage: z.optional(TurnUsage) });
