import { isWireError, WireError } from "@editwire/core/errors";

/** The reason when `close()` was called here; `cause` is how the other end closed. */
export function closedHere(cause?: Error): WireError {
  return new WireError("closed", "closed by this side", { cause });
}

/** The reason when the other end closed: a `WireError` is used as it is. */
export function closedThere(cause?: Error, data?: unknown): WireError {
  if (isWireError(cause)) return cause;
  return new WireError(
    "closed",
    cause === undefined ? "closed by the other end" : `the connection broke: ${cause.message}`,
    { cause, data },
  );
}

/** The error that `send` throws after the close. */
export function sendAfterClose(): WireError {
  return new WireError("closed", "cannot send: the transport is closed");
}

/** The error that `send` throws when the queue is full. */
export function overloaded(queuedBytes: number, maxQueuedBytes: number): WireError {
  return new WireError(
    "overloaded",
    `the other end is too slow: ${queuedBytes} bytes are queued, ${maxQueuedBytes} are allowed`,
    {
      data: { queuedBytes, maxQueuedBytes },
    },
  );
}
