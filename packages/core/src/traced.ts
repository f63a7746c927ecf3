import { isRemoteError, isWireError } from "./errors.js";

/**
 * Makes the trace of an error lead to the caller that waits here, and returns the error. The other end's answers arrive
 * in a callback of the transport, where the caller is not on the stack; the function that the rejection resumes still
 * is.
 */
export function traced(error: unknown): unknown {
  const { captureStackTrace } = Error as { captureStackTrace?: (target: object, below: unknown) => void };
  if (isRemoteError(error) || isWireError(error)) captureStackTrace?.(error, traced);
  return error;
}
