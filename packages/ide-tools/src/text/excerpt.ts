import { linesIn } from "./lines.js";

/** Lines of a text, counted from 1, both inclusive. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** How many lines are shown. */
export interface ExcerptLimits {
  /** The limit of all lines together, in characters. */
  readonly maxChars: number;
  /** Default: any number of lines. */
  readonly maxLines?: number | undefined;
}

/** How lines are shown, and how many. */
export interface ExcerptOptions extends ExcerptLimits {
  /** Formats one line with its number, which is counted from 1. Default: the line is shown as it is. */
  readonly format?: ((number: number, text: string) => string) | undefined;
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
export function readExcerpt(text: string, range: LineRange, options: ExcerptOptions): Excerpt {
  const { format = (_, line) => line, maxChars, maxLines = Infinity } = options;
  const from = Math.max(1, range.from);
  const most = Math.min(range.to, from - 1 + maxLines);
  const lines: string[] = [];
  let total = 0;
  let chars = 0;
  let isLineCut = false;
  for (const line of linesIn(text)) {
    total++;
    if (total < from || total > most || chars > maxChars) continue;
    const shown = format(total, line.text);
    chars += shown.length + 1;
    isLineCut ||= chars > maxChars && lines.length === 0;
    if (chars <= maxChars) lines.push(shown);
    else if (isLineCut) lines.push(`${shown.slice(0, maxChars)}…`);
  }
  const isOutside = from > Math.max(total, 1) || range.from > range.to || range.to < 1;
  const to = from + lines.length - 1;
  return { lines, from, to, total, isOutside, isCut: !isOutside && to < Math.min(total, range.to), isLineCut };
}
