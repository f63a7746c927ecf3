import type { WireError } from "@editwire/core/errors";

/** The events of a transport, which has one listener. */
export interface TransportEvents {
  /**
   * A whole message, parsed. `length` is the size of its JSON text, by which a listener bounds what it holds: bytes
   * over a byte stream, characters elsewhere. When it returns a promise, the transport reads no further until that
   * settles, either way. It must not throw.
   */
  message(value: unknown, length: number): void | Promise<void>;
  /**
   * Bytes that are not a message were skipped; reading continues. `value` is what can be read of the message that is
   * lost. `error.data` is `{ excerpt, found }`: `excerpt` is the beginning, for a log, and `found` describes the value:
   * - absent: the message is faulty only in bytes that are not UTF-8. They are U+FFFD in the value.
   * - `outline`: the message is broken, unfinished or too long. The value has its members, with null for lists and
   *   for objects in its objects.
   * - `quoted`: the value is a whole message, behind text that may quote it.
   * - `binary`: the value is a whole message in a binary frame of a WebSocket whose binary frames are ignored. Its
   *   sender expects no answer.
   * - `glued`: only noise is lost. The messages that it was attached to follow.
   */
  malformed(error: WireError, value?: unknown): void;
  /**
   * The transport has closed. Called exactly once. The error says which side closed and why: `closed`; `not_connected`
   * when the other end was never reached; `framing`, `too_large` or `overloaded` when this side gave up.
   */
  closed(reason: WireError): void;
}

/** A program at the other end that this process has started. */
export interface Program {
  /** Its name, for messages. */
  readonly name: string;
  /** Its command and the arguments. */
  readonly argv: readonly string[];
  /** The first 200 characters that it wrote to stdout. */
  readonly stdout: string;
  /** The end of what it wrote to stderr. */
  readonly stderr: string;
}

/** Moves whole JSON messages: text out, parsed values in. It knows nothing of ids and methods. */
export interface Transport {
  /** The program at the other end, where this process has started it. */
  readonly program?: Program | undefined;
  /** Starts reading. Called once; no event comes before, or inside the call. */
  start(events: TransportEvents): void;
  /**
   * Takes one message as JSON text. Returns a promise only when the peer is slow: it resolves, and never rejects, when
   * there is room again or the transport closes. Messages of one tick leave as one write; in Node, sends that are
   * awaited one by one belong to one tick. Throws `WireError("closed")` after the close. Throws `overloaded`, and takes
   * nothing, past `maxQueuedBytes`.
   */
  send(json: string): void | Promise<void>;
  /** Flushes what was taken and closes. Resolves when closed; calling it again is harmless. */
  close(): Promise<void>;
}
