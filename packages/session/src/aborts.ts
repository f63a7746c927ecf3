import { isWireError } from "@editwire/core/errors";

/** Recognizes what code throws because its signal aborted: an `AbortError`, or a `WireError` of this SDK. */
export function isAbort(error: unknown): boolean {
  return isWireError(error) || (error instanceof Error && error.name === "AbortError");
}
