import { WireError } from "@editwire/core/errors";
import type { TransportEvents } from "@editwire/transport";
import { charsOf } from "../engine/index.js";

const block = 1_024;
/** Characters of held messages above which the connection is closed. */
const maxHeldChars = 64 * 1_048_576;

/** A message that waits for its listener. */
interface Held {
  readonly message: unknown;
  /** The approximate length of its JSON text, which the connection does not report. */
  readonly length: number;
}

/** Passes messages to a transport's listener one by one, and holds those that arrive while it is not ready. */
export class Inbox {
  readonly #maxHeld: number;
  readonly #onOverflow: (reason: WireError) => void;
  #events: TransportEvents | undefined;
  #held: Held[] = [];
  #heldChars = 0;
  #read = 0;
  /** The listener has not settled its last message. */
  #waiting = false;
  #end: WireError | undefined;
  #ended = false;

  constructor(maxHeld: number, onOverflow: (reason: WireError) => void) {
    this.#maxHeld = maxHeld;
    this.#onOverflow = onOverflow;
  }

  /** Sets the listener; it receives the held messages in a later microtask. */
  start(events: TransportEvents): void {
    this.#waiting = true;
    this.#events = events;
    queueMicrotask(this.#proceed);
  }

  push(message: unknown): void {
    if (this.#end !== undefined) return;
    const length = charsOf(message);
    this.#held.push({ message, length });
    this.#heldChars += length;
    const count = this.#held.length - this.#read;
    if (count > this.#maxHeld || (this.#heldChars > maxHeldChars && count > 1)) {
      const why = "and a vscode-jsonrpc connection cannot pause reading";
      this.#onOverflow(new WireError("overloaded", `${count - 1} messages wait to be handled, ${why}`));
    } else this.#deliver();
  }

  malformed(error: WireError): void {
    if (this.#end === undefined) this.#events?.malformed(error);
  }

  /** Ends the inbox after the held messages; `drop` discards them. */
  end(reason: WireError, drop: boolean): void {
    this.#end ??= reason;
    if (drop) {
      this.#held = [];
      this.#heldChars = 0;
      this.#read = 0;
    }
    this.#deliver();
  }

  #deliver(): void {
    while (this.#events !== undefined && !this.#waiting && this.#read < this.#held.length) {
      const { message, length } = this.#take();
      const settled = this.#events.message(message, length);
      if (settled === undefined) continue;
      this.#waiting = true;
      settled.then(this.#proceed, this.#proceed);
    }
    if (this.#read < this.#held.length) return;
    if (this.#end === undefined || this.#events === undefined || this.#waiting || this.#ended) return;
    this.#ended = true;
    this.#events.closed(this.#end);
  }

  /** The next message. The queue removes delivered messages in blocks, because a listener may never catch up. */
  #take(): Held {
    const held = this.#held[this.#read++] as Held;
    this.#heldChars -= held.length;
    if (this.#read >= block) {
      this.#held = this.#held.slice(this.#read);
      this.#read = 0;
    }
    return held;
  }

  readonly #proceed = (): void => {
    this.#waiting = false;
    this.#deliver();
  };
}
