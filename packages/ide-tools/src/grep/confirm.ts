import { join } from "node:path";
import iconv from "iconv-lite";
import { ToolError } from "../errors.js";
import { beginningOf } from "../markdown.js";
import { decodeText } from "../text/encoding.js";
import { readBytesSync } from "../workspace/read.js";
import { type Found, type Hit, maxLineBytes, type SearchRequest } from "./engine.js";
import { matcherOf } from "./matcher.js";

/** Characters of a line that are shown. */
const maxLineChars = 500;

/** A line that matches. */
export interface Match {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** The line's first 500 characters. */
  readonly text: string;
}

/** A line that matches, in its file. */
export interface ConfirmedHit {
  readonly path: string;
  /** Counted from 1, as `read_file` counts. */
  readonly line: number;
  /** All lines of the file. */
  readonly lines: readonly string[];
}

/**
 * The hits as the project has them, in their order. An engine opens files by their names, and may be led outside by a
 * folder that is replaced with a link at this moment: what is shown is read again, without following links, and a hit
 * that is not found there is dropped. It reads in blocking calls, for workers.
 */
export function* confirmedHits(request: SearchRequest, hits: readonly Hit[]): Generator<ConfirmedHit> {
  let file: (Rows & { readonly path: string }) | undefined;
  for (const hit of hits) {
    if (file?.path !== hit.path) file = { path: hit.path, ...rowsOf(textIn(request, hit.path)) };
    const { lines, encoding } = file;
    const [first = 0, end = first] = [file.firstOf(hit.line - 1), file.firstOf(hit.line)];
    const parts = lines.slice(first, end);
    if (parts.length === 0 || !isSame(hit, parts.join("\r"), encoding)) continue;
    const matches = parts.length > 1 ? matcherOf(request) : () => true;
    for (const [index, part] of parts.entries())
      if (matches(part)) yield { path: hit.path, line: first + index + 1, lines };
  }
}

/** Compares a row with what the engine read, which may end with the carriage return of the line end. */
function isSame({ bytes, isLong }: Hit, row: string, encoding: string): boolean {
  if (isLong === true) return row.length * 4 >= maxLineBytes;
  if (bytes === undefined) return true;
  // The engine converts UTF-16, which it finds by the byte order mark.
  const text = iconv.decode(Buffer.from(bytes), encoding.startsWith("utf-16") ? "utf-8" : encoding);
  return text === row || text === `${row}\r`;
}

interface Source {
  readonly text: string;
  readonly encoding: string;
}

function textIn({ root, text, maxFileBytes: maxBytes, fallbackEncoding }: SearchRequest, path: string): Source {
  if (text !== undefined) return { text, encoding: "utf-8" };
  try {
    const bytes = readBytesSync({ real: join(root, path), path, maxBytes });
    return decodeText(path, bytes ?? new Uint8Array(), fallbackEncoding);
  } catch (error) {
    if (error instanceof ToolError) return { text: "", encoding: "utf-8" };
    throw error;
  }
}

/**
 * The lines of a text, and those of each row: engines end a row at a line feed, but a line at a carriage return, too.
 */
interface Rows {
  readonly lines: readonly string[];
  readonly encoding: string;
  /** The place of a row's first line. */
  readonly firstOf: (row: number) => number | undefined;
}

function rowsOf({ text, encoding }: Source): Rows {
  const rows = text.split(/\r?\n/);
  if (!/\r(?!\n)/.test(text)) return { lines: rows, encoding, firstOf: (row) => row };
  const parts = rows.map((row) => row.split("\r"));
  const places: number[] = [0];
  for (const { length } of parts) places.push((places.at(-1) ?? 0) + length);
  return { lines: parts.flat(), encoding, firstOf: (row) => places[row] };
}

/** The first hits that are confirmed. */
export function matchesOf({ request, hits, limit }: Found & { readonly limit: number }): Match[] {
  const matches: Match[] = [];
  for (const { path, line, lines } of confirmedHits(request, hits)) {
    matches.push({ path, line, text: shortLine(lines[line - 1] ?? "") });
    if (matches.length === limit) break;
  }
  return matches;
}

/** A line as it is shown. */
export function shortLine(line: string): string {
  return line.length > maxLineChars ? `${beginningOf(line, maxLineChars)}…` : line;
}
