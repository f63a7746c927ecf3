import { occurrencesOf } from "../text/occurrences.js";
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
 * in `\n`. The time is linear in the lengths of the texts.
 */
export function findEdit(text: string, search: string, replacement: string): Edit | NoEdit {
  const { first: start, count } = occurrencesOf(search, text);
  if (count > 1) return { match: "ambiguous", count };
  if (count === 1) return { start, end: start + search.length, text: replacement, match: "exact" };
  return fuzzyEdit(text, search, replacement);
}

function fuzzyEdit(text: string, search: string, replacement: string): Edit | NoEdit {
  const lines = text.split("\n");
  const hasEnd = lines.at(-1) === "";
  if (hasEnd) lines.pop();
  const wanted = withoutBlankEnds(search.split("\n"));
  const trim = (line: string): string => line.trim();
  const { first, count } = occurrencesOf(wanted.map(trim), lines.map(trim));
  if (count > 1) return { match: "ambiguous", count };
  if (count === 0) return { match: "none" };
  const found = lines.slice(first, first + wanted.length);
  const start = lengthOf(lines.slice(0, first));
  const isLast = first + wanted.length === lines.length;
  const end = isLast ? text.length : start + lengthOf(found);
  const body = reindented(replacement === "" ? [] : replacement.replace(/\n$/, "").split("\n"), { wanted, found });
  // An empty replacement deletes the lines; any other keeps the end of the last line as it was.
  const lastEnd = body.length === 0 || (isLast && !hasEnd) ? "" : "\n";
  return { start, end, text: body.join("\n") + lastEnd, match: "fuzzy" };
}

/** The length of lines with their ends. */
function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function withoutBlankEnds(lines: readonly string[]): string[] {
  const isCode = (line: string): boolean => line.trim() !== "";
  const first = lines.findIndex(isCode);
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex(isCode) + 1);
}
