/** A tool could not do what was asked. The model receives the message. */
export class ToolError extends Error {
  override readonly name = "ToolError";
}

/** Tells an error of the file system or of a process start. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && "syscall" in error;
}
