import { ToolError } from "./errors.js";
import { fenced, languageOf, numbered, report } from "./markdown.js";
import { decodeText } from "./text/encoding.js";
import { type LineRange, readExcerpt } from "./text/excerpt.js";
import { type Language, wordingOf } from "./wording/wording.js";

/** The content of a file, and how to report it. */
export interface ReadReportInput {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly fallbackEncoding: string | undefined;
  /** The lines that are asked for. */
  readonly range: {
    readonly start_line?: number | undefined;
    readonly end_line?: number | undefined;
    readonly line?: number | undefined;
    readonly context_lines: number;
  };
  readonly maxChars: number;
  readonly language: Language;
}

/** Writes the report on the lines of a file. Throws a `ToolError` for lines that the file does not have. */
export function readReport({ path, bytes, fallbackEncoding, range, maxChars, language }: ReadReportInput): string {
  const { reading } = wordingOf(language);
  const { text } = decodeText(path, bytes, fallbackEncoding);
  const asked = rangeOf(range);
  const marked = range.start_line === undefined && range.end_line === undefined ? range.line : undefined;
  const format = (number: number, line: string): string => numbered(number, line, number === marked);
  const excerpt = readExcerpt(text, asked ?? { from: 1, to: Infinity }, { format, maxChars });
  const { lines, from, to, total } = excerpt;
  const shown = (of: LineRange): string => `${of.from}-${of.to === Infinity ? reading.end : of.to}`;
  if (asked !== undefined && excerpt.isOutside)
    throw new ToolError(`Lines ${shown(asked)} are outside of ${path}, which has ${total} lines`, {
      ...{ code: "range", path, detail: `${shown(asked)} (1-${total})` },
    });
  const name = path.split("/").at(-1) ?? path;
  const head = report(reading.file(name), [
    ["relativePath", path],
    [reading.type, languageOf(name) || "text"],
    [reading.lines, total],
    [reading.size, reading.bytes(bytes.length)],
    ...(asked === undefined ? [] : [[reading.asked, shown(asked)] as const]),
    [reading.shown, lines.length === 0 ? reading.nothing : `${from}-${to}`],
    [reading.count, lines.length],
    ...(excerpt.isCut || excerpt.isLineCut ? [[reading.cut, reading.cutAt(maxChars)] as const] : []),
  ]);
  const rest = total > to ? [reading.rest(total - to)] : [];
  return [head, fenced(languageOf(name), lines.join("\n")), ...rest].join("\n\n");
}

function rangeOf({ start_line: start, end_line: end, line, context_lines: context }: ReadReportInput["range"]) {
  if (start !== undefined || end !== undefined) return { from: start ?? 1, to: end ?? Infinity };
  return line === undefined ? undefined : { from: line - context, to: line + context };
}
