import { fenced, inlineCode, languageOf, numbered, report, ReportBuilder } from "../markdown.js";
import { type Language, wordingOf } from "../wording/wording.js";
import type { Wording } from "../wording/texts.js";
import { type ConfirmedHit, confirmedHits, shortLine } from "./confirm.js";
import type { Found } from "./engine.js";
import { extensionsOf } from "./file-types.js";

/** The matches of a search, and how to report them. */
export interface GrepReportInput extends Found {
  readonly limit: number;
  /** Lines that are shown before and after each match. */
  readonly context: number;
  /** The file that was searched; absent for the project. */
  readonly file: string | undefined;
  readonly fileType: string;
  readonly maxChars: number;
  readonly language: Language;
}

/** Writes the report on a search, of up to `maxChars` characters and a note. It reads files, for workers. */
export function grepReport(input: GrepReportInput): string {
  const { request, hits, limit, context, file, maxChars } = input;
  const words = wordingOf(input.language);
  const body = new ReportBuilder(maxChars - headOf(input, words, limit).length);
  let count = 0;
  let last: string | undefined;
  for (const hit of confirmedHits(request, hits)) {
    if (file === undefined && hit.path !== last) body.add(`### ${hit.path}`);
    if (context === 0) body.addLine(listed(hit, words), hit.path === last);
    else body.add(...inContext(hit, { context, depth: file === undefined ? "####" : "###", path: file, words }));
    last = hit.path;
    if (++count === limit) break;
  }
  const head = headOf(input, words, count);
  if (count === 0) return [head, words.search.nothing(inlineCode(request.pattern))].join("\n\n");
  const others = hits.length - limit;
  const rest = others > 0 ? [words.search.others(others, input.isPartial)] : [];
  return [head, body.text(words.cutOff), ...rest].join("\n\n");
}

function headOf({ request, file, fileType }: GrepReportInput, words: Wording, count: number): string {
  const { search } = words;
  const isUnknown = fileType !== "all" && extensionsOf(fileType) === undefined;
  const type = isUnknown ? search.unknownType(inlineCode(fileType)) : fileType;
  return report(file === undefined ? search.ofProject : search.ofFile(file.split("/").at(-1) ?? file), [
    ...(file === undefined ? [] : [["relativePath", file] as const]),
    [search.pattern, inlineCode(request.pattern)],
    [search.isRegex, request.isRegex ? words.yes : words.no],
    [search.isCaseSensitive, request.isCaseSensitive ? words.yes : words.no],
    ...(file === undefined ? [[search.fileType, type] as const] : []),
    [search.count, count],
  ]);
}

function listed({ line, lines }: ConfirmedHit, words: Wording): string {
  return `- **${words.line(line)}**: ${inlineCode(shortLine(lines[line - 1] ?? "").trim())}`;
}

interface Place {
  readonly context: number;
  /** The heading's number signs. */
  readonly depth: string;
  /** The file that was searched; absent for that of the hit. */
  readonly path: string | undefined;
  readonly words: Wording;
}

function inContext({ path, line, lines }: ConfirmedHit, { context, depth, path: file = path, words }: Place): string[] {
  const from = Math.max(1, line - context);
  const shown = lines
    .slice(from - 1, line + context)
    .map((text, index) => numbered(from + index, shortLine(text), from + index === line));
  return [`${depth} ${words.line(line)}`, fenced(languageOf(file), shown.join("\n"))];
}
