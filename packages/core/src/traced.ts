import { isRemoteError, isWireError } from "./errors.js";

/**
 * Makes the trace of an error lead to the caller that waits here, and returns the error. What the other end does
 * arrives in a callback of the transport, where nobody's call is on the stack; the function that its rejection
 * resumes still knows who awaits it.
 */
export function traced(error: unknown): unknown {
  const { captureStackTrace } = Error as { captureStackTrace?: (target: object, below: unknown) => void };
  if (isRemoteError(error) || isWireError(error)) captureStackTrace?.(error, traced);
  return error;
}
