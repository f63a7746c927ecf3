import { linesOf } from "./lines.js";

/** Lines of a text, counted from 1, both inclusive. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** How lines are shown, and how many. */
export interface ExcerptOptions {
  /** Formats one line with its number, which is counted from 1. */
  readonly format: (number: number, text: string) => string;
  /** The limit of all lines together, in characters. */
  readonly maxChars: number;
  /** Default: any number of lines. */
  readonly maxLines?: number | undefined;
}

/** Some lines of a text. */
export interface Excerpt {
  /** The lines as they are shown. */
  readonly lines: readonly string[];
  readonly from: number;
  /** The last line that is shown; less than `from` when there is none. */
  readonly to: number;
  /** Lines of the whole text. */
  readonly total: number;
  /** The range begins after the end of the text, ends before its beginning, or ends before it begins. */
  readonly isOutside: boolean;
  /** A limit leaves out lines of the range. */
  readonly isCut: boolean;
  /** The first line alone exceeds `maxChars`, and only its beginning is shown. */
  readonly isLineCut: boolean;
}

/** The lines of a range, as far as the text has them and the limits allow. */
export function excerptOf(text: string, range: LineRange, options: ExcerptOptions): Excerpt {
  const { format, maxChars, maxLines = Infinity } = options;
  const all = linesOf(text);
  const total = all.length;
  const from = Math.max(1, range.from);
  const last = Math.min(total, range.to);
  const isOutside = from > Math.max(total, 1) || range.from > range.to || range.to < 1;
  const wanted = isOutside ? [] : all.slice(from - 1, Math.min(last, from - 1 + maxLines));
  const shown = wanted.map((line, index) => format(from + index, line.text));
  let chars = 0;
  const end = shown.findIndex((line) => (chars += line.length + 1) > maxChars);
  const isLineCut = end === 0;
  const lines = isLineCut ? [`${shown[0]?.slice(0, maxChars)}…`] : shown.slice(0, end === -1 ? undefined : end);
  const to = from + lines.length - 1;
  return { lines, from, to, total, isOutside, isCut: !isOutside && to < last, isLineCut };
}
