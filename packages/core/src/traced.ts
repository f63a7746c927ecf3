import { isRemoteError, isWireError } from "./errors.js";

/**
 * Leads the trace of one of our errors to whoever waits here, and gives the error back. What the other end does is told in a callback
 * of the transport, where nobody's call is on the stack; the function that its rejection resumes still knows who awaits it.
 */
export function traced(error: unknown): unknown {
  const { captureStackTrace } = Error as { captureStackTrace?: (target: object, below: unknown) => void };
  if (isRemoteError(error) || isWireError(error)) captureStackTrace?.(error, traced);
  return error;
}
