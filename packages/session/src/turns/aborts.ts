import { isWireError } from "@editwire/core/errors";

/**
 * Recognizes what code throws because its signal aborted: an `AbortError`, a `WireError` of this SDK, or an error of
 * another library whose cause is one of these.
 */
export function isAbort(error: unknown): boolean {
  return isAbortItself(error) || (error instanceof Error && isAbortItself(error.cause));
}

function isAbortItself(error: unknown): boolean {
  return isWireError(error) || (error instanceof Error && error.name === "AbortError");
}
