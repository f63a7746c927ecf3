import { WireError } from "@editwire/core/errors";

/** The reason when `close()` was called here; `cause` is what the other end made of it. */
export function closedHere(cause?: Error): WireError {
  return new WireError("closed", "closed by this side", { cause });
}

/** The reason when the other end went: its own words where it has any. */
export function closedThere(cause?: Error): WireError {
  if (cause instanceof WireError) return cause;
  return new WireError(
    "closed",
    cause === undefined ? "closed by the other end" : `the connection broke: ${cause.message}`,
    { cause },
  );
}

/** What `send` throws once nothing can be sent any more. */
export function sendAfterClose(): WireError {
  return new WireError("closed", "cannot send: the transport is closed");
}

/** What `send` throws when the other end takes nothing. */
export function overloaded(queuedBytes: number, maxQueuedBytes: number): WireError {
  return new WireError(
    "overloaded",
    `the other end is too slow: ${queuedBytes} bytes are queued, ${maxQueuedBytes} are allowed`,
    {
      data: { queuedBytes, maxQueuedBytes },
    },
  );
}
