import iconv from "iconv-lite";
import { ToolError } from "../errors.js";
import { decodeText } from "../text/encoding.js";
import type { Project } from "../project.js";
import { openSlots } from "../slots.js";
import type { Hit, SearchRequest, TakeHit } from "./engine.js";
import { ripgrepEngine, ripgrepPath } from "./ripgrep.js";
import { scanEngine } from "./scan.js";

/** What a search is for. */
export type SearchQuery = Pick<
  SearchRequest,
  "pattern" | "isRegex" | "isCaseSensitive" | "text" | "extensions" | "folder"
> & {
  /** Matches to give. */
  readonly limit: number;
};

/** A line that matches, with the lines of its file. */
export interface Match {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** All lines of the file. */
  readonly lines: readonly string[];
}

/** The first matches in the order of paths and lines. */
export interface Matches {
  readonly shown: readonly Match[];
  /** Matches that the limit leaves out. */
  readonly others: number;
  /** The search ended before it had been everywhere: there may be more `others`, and earlier ones. */
  readonly isPartial: boolean;
}

/**
 * Searches the files of a project, or a text. Rejects with a `ToolError`, whose code is `pattern` for what is no
 * regular expression, and `timeout` after `timeoutMs`.
 */
export type Search = (query: SearchQuery, signal?: AbortSignal) => Promise<Matches>;

/** How to search. */
export interface SearchOptions {
  /** `ripgrep` where it is installed, or else `scan`. */
  readonly engine?: "ripgrep" | "scan" | undefined;
  /** Milliseconds after which a search ends with a `ToolError`. Default 25,000. */
  readonly timeoutMs?: number | undefined;
}

/** Searches that run at once; others wait. */
const maxSearches = 4;
/** Files of more bytes are hardly written by people. */
const maxFileBytes = 2 * 1024 * 1024;
/** Matches after which a search ends even though some files were not searched. */
const maxHits = 1000;

/** Hits whose files are read at once. */
const readsAhead = 8;

/** Opens the search of a project. It finds only what the workspace admits. */
export function openSearch(project: Project, { engine, timeoutMs = 25_000 }: SearchOptions = {}): Search {
  const program = engine === "scan" ? undefined : ripgrepPath();
  const run = program === undefined ? scanEngine : ripgrepEngine(program);
  const slots = openSlots(maxSearches);

  return async (query, signal) => {
    if (/[\n\0]/.test(query.pattern))
      throw new ToolError("pattern 不能包含换行符或空字符: 按行匹配", {
        code: "pattern",
        cause: new Error("a line break or a null character, but lines are matched one by one"),
      });
    const { limit, ...rest } = query;
    const { root, admits } = project.workspace;
    const request = { ...rest, root, maxFileBytes, fallbackEncoding: project.fallbackEncoding };
    const most = Math.max(maxHits, limit + 1);
    const prefix = query.folder ? `${query.folder}/` : "";
    const hits: Hit[] = [];
    const take: TakeHit = (hit) => {
      const isMeant = query.text !== undefined || (hit.path.startsWith(prefix) && admits(hit.path));
      return !isMeant || hits.push(hit) < most;
    };
    await slots(() => limited((within) => run(request, take, within), { timeoutMs, signal }));
    hits.sort(byPlace);
    /** The lines of a text that match, counted from 1. */
    const linesIn = async (text: string): Promise<ReadonlySet<number>> => {
      const lines = new Set<number>();
      const add: TakeHit = ({ line }) => lines.add(line).size > 0;
      await slots(() => limited((within) => run({ ...request, text }, add, within), { timeoutMs, signal }));
      return lines;
    };
    const shown = await confirmed(project, hits, { limit, text: query.text, linesIn });
    return { shown, others: Math.max(0, hits.length - limit), isPartial: hits.length >= most };
  };
}

interface Limits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

async function limited(run: (signal: AbortSignal) => Promise<void>, { timeoutMs, signal }: Limits): Promise<void> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    await run(signal === undefined ? timeout : AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (error === timeout.reason) throw new ToolError(`搜索超时: 超过 ${timeoutMs} 毫秒`, { code: "timeout" });
    throw error;
  }
}

function byPlace(a: Hit, b: Hit): number {
  if (a.path === b.path) return a.line - b.line;
  return a.path < b.path ? -1 : 1;
}

/**
 * The hits as the project has them. An engine opens files by their names, and may be led outside by a folder that is
 * replaced with a link at this moment: what is shown is read by the workspace, and a hit that it does not confirm is
 * dropped.
 */
async function confirmed(
  project: Project,
  hits: readonly Hit[],
  {
    limit,
    text,
    linesIn,
  }: Pick<SearchQuery, "limit" | "text"> & { linesIn(text: string): Promise<ReadonlySet<number>> },
): Promise<Match[]> {
  const files = new Map<string, Promise<Rows>>();
  const rowsIn = ({ path }: Hit): Promise<Rows> => {
    let rows = files.get(path);
    if (rows === undefined) files.set(path, (rows = readRows(project, path, text)));
    return rows;
  };
  const matches: Match[] = [];
  for (const [index, hit] of hits.entries()) {
    if (matches.length >= limit) break;
    const ahead = hits.slice(index, index + readsAhead);
    for (const next of ahead) rowsIn(next).catch(() => {}); // thrown where it is awaited
    const { line, path, text: found } = hit;
    const { lines, firstOf } = await rowsIn(hit);
    const [first = 0, end = first] = [firstOf(line - 1), firstOf(line)];
    const parts = lines.slice(first, end);
    if (parts.join("\r") !== decoded(found, project.fallbackEncoding)) continue;
    const matching = parts.length > 1 ? await linesIn(parts.join("\n")) : new Set([1]);
    for (const at of parts.keys()) if (matching.has(at + 1)) matches.push({ path, line: first + at + 1, lines });
  }
  return matches.slice(0, limit);
}

async function readRows(project: Project, path: string, text: string | undefined): Promise<Rows> {
  return rowsOf(text ?? (await textOf(project, path)));
}

/**
 * The lines of a text, and those of each row: engines end a row at a line feed, but a line at a carriage return, too.
 */
interface Rows {
  readonly lines: readonly string[];
  /** The place of a row's first line. */
  readonly firstOf: (row: number) => number | undefined;
}

function rowsOf(text: string): Rows {
  const rows = text.split(/\r?\n/);
  if (!/\r(?!\n)/.test(text)) return { lines: rows, firstOf: (row) => row };
  const parts = rows.map((row) => row.split("\r"));
  const places: number[] = [0];
  for (const { length } of parts) places.push((places.at(-1) ?? 0) + length);
  return { lines: parts.flat(), firstOf: (row) => places[row] };
}

async function textOf({ workspace, fallbackEncoding }: Project, path: string): Promise<string> {
  try {
    const bytes = await workspace.readBytes(path);
    return bytes === undefined ? "" : decodeText(path, bytes, fallbackEncoding).text;
  } catch (error) {
    if (error instanceof ToolError) return "";
    throw error;
  }
}

function decoded(text: string | Uint8Array, encoding = "utf-8"): string {
  return typeof text === "string" ? text : iconv.decode(Buffer.from(text), encoding);
}
