/**
 * Why a tool refused a call.
 *
 * | code | reason |
 * | --- | --- |
 * | `ambiguous` | the text to replace occurs more than once |
 * | `argument` | an argument is missing, malformed or beyond its bound |
 * | `binary` | the file, or the text to write, has a null character |
 * | `changed` | the file has changed since it was read |
 * | `closed` | the tools were closed |
 * | `encoding` | the file is not text in a known encoding, or the encoding lacks a character of the new text |
 * | `exists` | the file to create exists |
 * | `failed` | the system reported an error, which is the error's `cause` |
 * | `folder` | the path leads to a folder |
 * | `no_match` | the text to replace does not occur |
 * | `not_found` | the file does not exist |
 * | `not_regular` | the path leads to a pipe, a device or a link |
 * | `outside` | the path is empty, or leads out of the folder |
 * | `pattern` | the pattern is not a regular expression |
 * | `range` | the lines are outside of the file |
 * | `timeout` | the time is over |
 * | `too_large` | the file is too large, or the work takes too much memory |
 * | `unknown_class`, `unknown_method` | the project does not declare the class or the method |
 * | `unwritable` | the file is read-only, or belongs to Git |
 */
export type ToolErrorCode =
  | "ambiguous"
  | "argument"
  | "binary"
  | "changed"
  | "closed"
  | "encoding"
  | "exists"
  | "failed"
  | "folder"
  | "no_match"
  | "not_found"
  | "not_regular"
  | "outside"
  | "pattern"
  | "range"
  | "timeout"
  | "too_large"
  | "unknown_class"
  | "unknown_method"
  | "unwritable";

/** The machine-readable fields of a `ToolError`. */
export interface ToolErrorDetails {
  readonly code?: ToolErrorCode | undefined;
  /** The file, as it was given. */
  readonly path?: string | undefined;
  /** The variable part of the message besides the path, such as the fault of a pattern or a number of matches. */
  readonly detail?: string | undefined;
  readonly cause?: unknown;
}

/** On each error: a tool of yours may throw the error of another copy of this package. */
const brand = Symbol.for("@editwire/ide-tools/ToolError");

/**
 * A tool could not do what was asked. The message is English, is meant for the model or the user who called the tool,
 * and names files as they were given.
 */
export class ToolError extends Error {
  override readonly name = "ToolError";
  /** Every error of this package has one. It may be absent from errors that your own tools throw. */
  readonly code: ToolErrorCode | undefined;
  readonly path: string | undefined;
  readonly detail: string | undefined;

  constructor(message: string, { code, path, detail, cause }: ToolErrorDetails = {}) {
    super(printable(message), cause === undefined ? undefined : { cause });
    this.code = code;
    this.path = path;
    this.detail = detail;
    Object.defineProperty(this, brand, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && brand in value;
  }
}

/** Text in which a null character is visible. */
function printable(text: string): string {
  return text.replaceAll("\0", "\\0");
}

/** Recognizes an error of the file system or of a process start. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && "syscall" in error;
}

/** Replaces a system error by one that names the file as the user knows it. Other errors stay. */
export function systemError(error: unknown, path: string, verb: "open" | "read" | "write"): unknown {
  if (!isSystemError(error)) return error;
  const [detail = error.message] = error.message.split(`, ${error.syscall}`);
  return new ToolError(`Cannot ${verb} ${path}: ${detail}`, { code: "failed", path, detail, cause: error });
}
