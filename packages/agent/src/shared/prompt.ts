import type { ContentBlock } from "@editwire/acp";
import { shown } from "@editwire/session";

/** The text blocks, joined by blank lines. */
export function textOf(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === "text" && "text" in block ? [block.text] : [])).join("\n\n");
}

/** Whether `textOf` says all of it. */
export function isText(content: readonly ContentBlock[]): boolean {
  return content.every(({ type }) => type === "text");
}

/** A prompt as content blocks. Throws a `TypeError` for anything else. */
export function blocksOf(prompt: string | readonly ContentBlock[]): readonly ContentBlock[] {
  if (typeof prompt === "string") return [{ type: "text", text: prompt }];
  if (Array.isArray(prompt)) return prompt;
  throw new TypeError(`prompt: expected a string or an array of content blocks, received ${shown(prompt)}`);
}
