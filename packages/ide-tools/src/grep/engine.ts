import { ToolError } from "../errors.js";

/** What to search for, and where. */
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
  /** The encoding of files that have no byte order mark and are not UTF-8. */
  readonly fallbackEncoding?: string | undefined;
}

/** A line that matches. */
export interface Hit {
  /** From the project's folder, with forward slashes; empty in a text. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** The line without its end; its bytes when it is not UTF-8. */
  readonly text: string | Uint8Array;
}

/** Takes one hit. Returns false when no more are wanted. */
export type TakeHit = (hit: Hit) => boolean;

/**
 * Finds lines, in no order. It does not follow links, and leaves out what `walk` leaves out, binary files and large
 * files. Rejects with a `ToolError` for a pattern that is not a regular expression, and with the signal's reason when
 * the signal aborts.
 */
export type Engine = (request: SearchRequest, take: TakeHit, signal: AbortSignal) => Promise<void>;

/** The error for a pattern that is not a regular expression; `details` are the engine's. */
export function patternError(details: string): ToolError {
  return new ToolError(`无效的正则表达式: ${details}`, { code: "pattern", cause: new Error(details) });
}
