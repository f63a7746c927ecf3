import { visible } from "./visible.js";

/** Wraps text in a color. */
export type Paint = (color: "red" | "yellow" | "green" | "dim" | "bold", text: string) => string;

/** Paints nothing. */
export const plain: Paint = (_color, text) => text;

/** Text of the target or of an error, each line marked so that none can pose as a line of the report. */
export function indented(text: string): string[] {
  return visible(text.trimEnd())
    .split("\n")
    .map((line, index) => (index === 0 ? `  ${line}` : `  | ${line}`));
}
