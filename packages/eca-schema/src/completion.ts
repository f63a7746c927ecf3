import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { Position, Range } from "./contexts.js";
import { type MessageType, ShowMessageParams } from "./messages.js";

/** Asks for text to insert at the cursor. */
export interface CompletionInlineParams {
  docText: string;
  /** Grows with every change, so that a late answer is recognized. */
  docVersion: number;
  position: Position;
}
export const CompletionInlineParams = schemaFor<CompletionInlineParams>()(
  z.looseObject({ docText: z.string(), docVersion: z.int(), position: Position }),
);

/** One text to insert. */
export interface CompletionInlineItem {
  text: string;
  docVersion: number;
  range: Range;
}

/** The texts to insert. */
export interface CompletionInlineItems {
  items: CompletionInlineItem[];
}

/** Why there is no answer, in place of one. */
export interface FeatureError {
  type: MessageType;
  message: string;
}
export const FeatureError = schemaFor<FeatureError>()(ShowMessageParams);

/** The texts to insert, or why there are none. */
export type CompletionInlineResult = CompletionInlineItems | FeatureError;
export const CompletionInlineResult = schemaFor<CompletionInlineResult>()(
  z.union(
    [
      z.looseObject({ items: z.array(z.looseObject({ text: z.string(), docVersion: z.int(), range: Range })) }),
      FeatureError,
    ],
    {
      error: "expected an object with items, or with type and message",
    },
  ),
);
