import { WireError } from "@editwire/core/errors";
import type { TransportEvents } from "@editwire/transport";

const block = 1_024;

/** Hands messages to a transport's listener, one after the other, and holds those that come while it is not ready. */
export class Inbox {
  readonly #maxHeld: number;
  readonly #onOverflow: (reason: WireError) => void;
  #events: TransportEvents | undefined;
  #held: unknown[] = [];
  #read = 0;
  /** The listener has not settled its last message. */
  #waiting = false;
  #end: WireError | undefined;
  #ended = false;

  constructor(maxHeld: number, onOverflow: (reason: WireError) => void) {
    this.#maxHeld = maxHeld;
    this.#onOverflow = onOverflow;
  }

  /** Names the listener; what is held reaches it in a later microtask. */
  start(events: TransportEvents): void {
    this.#waiting = true;
    this.#events = events;
    queueMicrotask(this.#proceed);
  }

  push(message: unknown): void {
    if (this.#end !== undefined) return;
    this.#held.push(message);
    if (this.#held.length - this.#read > this.#maxHeld) {
      const why = `${this.#maxHeld} messages wait to be handled, and a vscode-jsonrpc connection cannot be told to stop reading`;
      this.#onOverflow(new WireError("overloaded", why));
    } else this.#deliver();
  }

  malformed(error: WireError): void {
    if (this.#end === undefined) this.#events?.malformed(error);
  }

  /** Ends it after what is held; `drop` forgets that. */
  end(reason: WireError, drop: boolean): void {
    this.#end ??= reason;
    if (drop) {
      this.#held = [];
      this.#read = 0;
    }
    this.#deliver();
  }

  #deliver(): void {
    while (this.#events !== undefined && !this.#waiting && this.#read < this.#held.length) {
      const settled = this.#events.message(this.#take());
      if (settled === undefined) continue;
      this.#waiting = true;
      settled.then(this.#proceed, this.#proceed);
    }
    if (this.#read < this.#held.length) return;
    if (this.#end === undefined || this.#events === undefined || this.#waiting || this.#ended) return;
    this.#ended = true;
    this.#events.closed(this.#end);
  }

  /** The next message. What was taken is let go of in blocks, since a listener may never catch up. */
  #take(): unknown {
    const message = this.#held[this.#read++];
    if (this.#read >= block) {
      this.#held = this.#held.slice(this.#read);
      this.#read = 0;
    }
    return message;
  }

  readonly #proceed = (): void => {
    this.#waiting = false;
    this.#deliver();
  };
}
