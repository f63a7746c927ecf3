import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { FeatureError } from "./completion.js";
import { Range } from "./contexts.js";
import { type Extensible, type OpenEnum, openEnum } from "./extensible.js";

/** Asks for another text in place of the selected one. */
export interface RewritePromptParams {
  /** Made by the client; every content of the rewrite names it. */
  id: string;
  text: string;
  prompt: string;
  path?: string | undefined;
  range: Range;
}
export const RewritePromptParams = schemaFor<RewritePromptParams>()(
  z.looseObject({ id: z.string(), text: z.string(), prompt: z.string(), path: z.optional(z.string()), range: Range }),
);

/** That the rewrite runs. */
export interface RewriteStatus {
  status: OpenEnum<"prompting">;
  model: string;
}

/** That the rewrite runs, or why it does not. */
export type RewritePromptResult = RewriteStatus | FeatureError;
export const RewritePromptResult = schemaFor<RewritePromptResult>()(
  z.union([z.looseObject({ status: openEnum(["prompting"]), model: z.string() }), FeatureError], {
    error: "expected an object with status and model, or with type and message",
  }),
);

/** The rewrite begins. */
export interface RewriteStartedContent {
  type: "started";
}

/** The model thinks. */
export interface RewriteReasoningContent {
  type: "reasoning";
}

/** A piece of the new text. */
export interface RewriteTextContent {
  type: "text";
  text: string;
}

/** The whole new text, in place of its pieces. */
export interface RewriteReplaceContent {
  type: "replace";
  text: string;
}

/** The rewrite failed. */
export interface RewriteErrorContent {
  type: "error";
  message: string;
}

/** The rewrite is over. */
export interface RewriteFinishedContent {
  type: "finished";
  totalTimeMs: number;
}

/** Content of a type that this version does not know; it is kept as it came. */
export interface UnknownRewriteContent extends Extensible {
  type: UnknownTag;
}

/** One thing that happens in a rewrite. */
export type RewriteContent =
  | RewriteStartedContent
  | RewriteReasoningContent
  | RewriteTextContent
  | RewriteReplaceContent
  | RewriteErrorContent
  | RewriteFinishedContent
  | UnknownRewriteContent;

export const RewriteContent = openUnion<RewriteContent>("type", {
  started: z.looseObject({ type: z.literal("started") }),
  reasoning: z.looseObject({ type: z.literal("reasoning") }),
  text: z.looseObject({ type: z.literal("text"), text: z.string() }),
  replace: z.looseObject({ type: z.literal("replace"), text: z.string() }),
  error: z.looseObject({ type: z.literal("error"), message: z.string() }),
  finished: z.looseObject({ type: z.literal("finished"), totalTimeMs: z.number() }),
});

/** Reports what happens in a rewrite. */
export interface RewriteContentReceivedParams {
  rewriteId: string;
  content: RewriteContent;
}
export const RewriteContentReceivedParams = schemaFor<RewriteContentReceivedParams>()(
  z.looseObject({ rewriteId: z.string(), content: RewriteContent }),
);
