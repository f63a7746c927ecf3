import type { OnWire } from "./on-wire.js";

/** The limits of a peer, and a listener for its messages. The options of every binding extend these. */
export interface PeerOptions {
  /** Notifications whose handlers have not finished, above which reading pauses. Default 256. */
  maxUnhandled?: number | undefined;
  /**
   * The same while a call awaits its reply, when a pause could keep that reply out. Default 16,384. Above it such calls
   * reject with `overloaded`.
   */
  maxQueued?: number | undefined;
  /** Requests of the peer that are not answered yet; one more is refused. Default 1,024. */
  maxRequests?: number | undefined;
  /** Calls of this side that await their replies; one more rejects at once with `overloaded`. Default 1,024. */
  maxCalls?: number | undefined;
  /**
   * Called with every message as a value: with a received one before it is handled, with a sent one after it was sent.
   * Errors that it throws are ignored.
   */
  onWire?: OnWire | undefined;
}

/** The limits, with their defaults. */
export function limitsOf(
  options: PeerOptions,
): Required<Record<"maxUnhandled" | "maxQueued" | "maxRequests" | "maxCalls", number>> {
  const { maxUnhandled = 256, maxQueued = 16_384, maxRequests = 1_024, maxCalls = 1_024 } = options;
  return { maxUnhandled, maxQueued: Math.max(maxUnhandled, maxQueued), maxRequests, maxCalls };
}
