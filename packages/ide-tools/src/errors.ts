/** Why a tool refused: what callers may want to handle or to translate. */
export type ToolErrorCode =
  | "binary"
  | "encoding"
  | "exists"
  | "folder"
  | "not_found"
  | "not_regular"
  | "outside"
  | "pattern"
  | "timeout"
  | "too_large"
  | "unwritable";

/**
 * A tool could not do what was asked. The message is meant for the model or the user who called the tool, and names
 * files as they were given.
 */
export class ToolError extends Error {
  override readonly name = "ToolError";
  /** Absent for what only the message tells. */
  readonly code: ToolErrorCode | undefined;

  constructor(message: string, { code, cause }: { code?: ToolErrorCode | undefined; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** Recognizes an error of the file system or of a process start. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && "syscall" in error;
}
