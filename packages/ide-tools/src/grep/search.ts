import { withDeadline } from "../deadline.js";
import { ToolError } from "../errors.js";
import { runJob } from "../jobs/run-job.js";
import type { Project } from "../project.js";
import type { Match } from "./confirm.js";
import type { Engine, Found, Hit, SearchRequest, TakeHit } from "./engine.js";
import { ripgrepEngine, ripgrepPath } from "./ripgrep.js";

/** A pattern, the files to search, and the maximal number of matches. */
export type SearchQuery = Pick<
  SearchRequest,
  "pattern" | "isRegex" | "isCaseSensitive" | "text" | "extensions" | "folder"
> & {
  /** Matches to give: 1 to 1,000. */
  readonly limit: number;
};

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
 * regular expression or has more than 10,000 characters, `argument` for a limit out of bounds, and `timeout` after
 * `timeoutMs`.
 */
export type Search = (query: SearchQuery, signal?: AbortSignal) => Promise<Matches>;

/** How to search. */
export interface SearchOptions {
  /** `ripgrep` where it is installed, or else `scan`. */
  readonly engine?: "ripgrep" | "scan" | undefined;
  /** Milliseconds after which a search ends with a `ToolError`. Default 25,000. */
  readonly timeoutMs?: number | undefined;
}

/** Files of more bytes are hardly written by people. */
const maxFileBytes = 2 * 1024 * 1024;
/** Matches after which a search ends even though some files were not searched. */
const maxHits = 1000;
/** Characters of a pattern. */
const maxPatternChars = 10_000;
/** Opens the search of a project. It finds only what the workspace admits. */
export function openSearch(project: Project, { engine, timeoutMs = 25_000 }: SearchOptions = {}): Search {
  const find = openFinder(project, engine);
  return (query, signal) =>
    withDeadline({ timeoutMs, signal }, async ({ signal: within }) => {
      const found = await find(query, within);
      const shown = await runJob("matches", { ...found, limit: query.limit }, { signal: within });
      return { shown, others: Math.max(0, found.hits.length - query.limit), isPartial: found.isPartial };
    });
}

/** Finds lines, without reading them again. */
export type Finder = (query: SearchQuery, signal: AbortSignal) => Promise<Found>;

/** Opens the engines of a project. */
export function openFinder({ workspace, fallbackEncoding }: Project, engine: SearchOptions["engine"]): Finder {
  const { root, admits } = workspace;
  const program = engine === "scan" ? undefined : ripgrepPath();
  const ripgrep = program === undefined ? undefined : ripgrepEngine(program);
  // ripgrep would wait for a .gitignore that is a pipe, and read one that is a device until the memory is full.
  const engineFor = async ({ text }: SearchQuery, signal: AbortSignal): Promise<Engine> =>
    ripgrep !== undefined && (text !== undefined || (await runJob("hasPlainRules", root, { signal })))
      ? ripgrep
      : scanEngine;

  return async (query, signal) => {
    checkQuery(query);
    const { limit, ...rest } = query;
    const most = Math.max(maxHits, limit + 1);
    const request: SearchRequest = { ...rest, root, maxFileBytes, maxHits: most, fallbackEncoding };
    const prefix = query.folder ? `${query.folder}/` : "";
    const hits: Hit[] = [];
    const take: TakeHit = (hit) => {
      const isMeant = query.text !== undefined || (hit.path.startsWith(prefix) && admits(hit.path));
      return !isMeant || hits.push(hit) < most;
    };
    const run = await engineFor(query, signal);
    await run(request, take, signal);
    return { request, hits: hits.sort(byPlace), isPartial: hits.length >= most };
  };
}

function checkQuery({ pattern, limit }: SearchQuery): void {
  const refused = (detail: string): ToolError =>
    new ToolError(`The pattern ${detail}`, { code: "pattern", detail: `the pattern ${detail}` });
  if (pattern === "") throw refused("is empty");
  if (pattern.length > maxPatternChars) throw refused(`has more than ${maxPatternChars} characters`);
  if (/[\n\0]/.test(pattern)) throw refused("has a line break or a null character, but lines are matched one by one");
  if (!Number.isInteger(limit) || limit < 1 || limit > maxHits) {
    const detail = `limit: expected a whole number from 1 to ${maxHits}, received ${limit}`;
    throw new ToolError(detail, { code: "argument", detail });
  }
}

function byPlace(a: Hit, b: Hit): number {
  if (a.path === b.path) return a.line - b.line;
  return a.path < b.path ? -1 : 1;
}

/** Searches in a worker, without any other program. */
const scanEngine: Engine = async (request, take, signal) => {
  await runJob("scan", request, { signal, onPart: (hits) => hits.every(take) });
};
