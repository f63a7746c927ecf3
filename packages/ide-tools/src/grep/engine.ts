import { ToolError } from "../errors.js";

/** The pattern of a search, and the files to search. */
export interface SearchRequest {
  /** Real path of the project's folder. */
  readonly root: string;
  readonly pattern: string;
  /** The pattern is a regular expression, in the syntax that Rust's `regex` and RE2 share. */
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
  /** The text to search in; absent for the files of the project. */
  readonly text?: string | undefined;
  /** Extensions of the files to search in, without dots; absent for all files. */
  readonly extensions?: readonly string[] | undefined;
  /** The folder to search in, from `root` with forward slashes; absent or empty for all of the project. */
  readonly folder?: string | undefined;
  /** Bytes of the largest file that is searched. */
  readonly maxFileBytes: number;
  /** Lines of one file that are reported at most. */
  readonly maxHits: number;
  /** The encoding of files that have no byte order mark and are not UTF-8. */
  readonly fallbackEncoding?: string | undefined;
}

/** A line that matches. It ends at a line feed. */
export interface Hit {
  /** From the project's folder, with forward slashes; empty in a text. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** The line without its line feed, as the engine read it; absent where the engine does not give it. */
  readonly bytes?: Uint8Array | undefined;
  /** The engine leaves out the text, because the line is longer than `maxLineBytes`. */
  readonly isLong?: boolean | undefined;
}

/** Lines that an engine found. */
export interface Found {
  readonly request: SearchRequest;
  /** In the order of paths and lines. */
  readonly hits: readonly Hit[];
  /** The search ended before it had been everywhere. */
  readonly isPartial: boolean;
}

/** Bytes of the longest line whose text an engine gives. */
export const maxLineBytes = 4096;

/** Takes one hit. Returns false when no more are wanted. */
export type TakeHit = (hit: Hit) => boolean;

/**
 * Finds lines, in no order. It does not follow links, and leaves out what `walk` leaves out, binary files and large
 * files. Rejects with a `ToolError` for a pattern that is not a regular expression, and with the signal's reason when
 * the signal aborts.
 */
export type Engine = (request: SearchRequest, take: TakeHit, signal: AbortSignal) => Promise<void>;

/** The error for a pattern that is not a regular expression; `detail` is the engine's. */
export function patternError(detail: string): ToolError {
  return new ToolError(`The pattern is not a regular expression: ${detail}`, { code: "pattern", detail });
}
