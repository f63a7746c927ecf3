import { linesOf } from "../text/lines.js";
import { reindented } from "./indent.js";

/** A replacement in a text whose lines end in `\n`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** How the place was found. */
  readonly match: "exact" | "fuzzy";
}

/** Why there is no place to replace: the text has none, or several. */
export type NoEdit = { readonly match: "none" } | { readonly match: "ambiguous"; readonly count: number };

/**
 * Where to replace `search` in `text`: the one exact occurrence, or else the one run of lines that differs in
 * whitespace at the beginning and end of its lines only; its replacement is then indented as the run is. All lines end
 * in `\n`.
 */
export function findEdit(text: string, search: string, replacement: string): Edit | NoEdit {
  const exact = occurrences(text, search);
  if (exact.length > 1) return { match: "ambiguous", count: exact.length };
  const [start] = exact;
  if (start !== undefined) return { start, end: start + search.length, text: replacement, match: "exact" };
  return fuzzyEdit(text, search, replacement);
}

function occurrences(text: string, search: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(search); at !== -1; at = text.indexOf(search, at + 1)) found.push(at);
  return found;
}

function fuzzyEdit(text: string, search: string, replacement: string): Edit | NoEdit {
  const lines = linesOf(text);
  const wanted = withoutBlankEnds(linesOf(search).map((line) => line.text));
  const trimmed = wanted.map((line) => line.trim());
  const starts =
    trimmed.length === 0
      ? []
      : runsOf(
          lines.map((line) => line.text.trim()),
          trimmed,
        );
  if (starts.length > 1) return { match: "ambiguous", count: starts.length };
  const [first] = starts;
  if (first === undefined) return { match: "none" };
  const run = lines.slice(first, first + wanted.length);
  const start = lines.slice(0, first).reduce((sum, line) => sum + line.text.length + line.end.length, 0);
  const end = start + run.reduce((sum, line) => sum + line.text.length + line.end.length, 0);
  const body = reindented(
    linesOf(replacement).map((line) => line.text),
    {
      wanted,
      found: run.map((line) => line.text),
    },
  );
  // An empty replacement deletes the lines; any other keeps the end of the last line as it was.
  const ends = body.length === 0 ? "" : (run.at(-1)?.end ?? "");
  return { start, end, text: body.join("\n") + ends, match: "fuzzy" };
}

function withoutBlankEnds(lines: readonly string[]): string[] {
  const isCode = (line: string): boolean => line.trim() !== "";
  const first = lines.findIndex(isCode);
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex(isCode) + 1);
}

function runsOf(lines: readonly string[], wanted: readonly string[]): number[] {
  return lines.flatMap((_, start) => (wanted.every((line, index) => lines[start + index] === line) ? [start] : []));
}
