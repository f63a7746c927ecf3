import { WireError } from "@editwire/core/errors";
import { Gate } from "@editwire/core/gate";

/** Characters of unwritten messages above which a sender is asked to wait. */
const highWater = 64 * 1024;

/** Counts what a connection has taken and not yet written. */
export class Outbox {
  readonly #maxQueued: number;
  #queued = 0;
  readonly #room = new Gate();
  #written: Promise<unknown> = Promise.resolve();

  constructor(maxQueued: number) {
    this.#maxQueued = maxQueued;
  }

  /** Throws `overloaded` when no more is taken. */
  check(): void {
    if (this.#queued <= this.#maxQueued) return;
    throw new WireError(
      "overloaded",
      `cannot send: ${this.#queued} characters wait for a slow peer; the limit is ${this.#maxQueued}`,
    );
  }

  /**
   * Notes a message of that length; a promise comes back when too many wait. What `written` rejects with is the
   * connection's to report.
   */
  track(length: number, written: Promise<void>): void | Promise<void> {
    this.#queued += length;
    const done = (): void => {
      this.#queued -= length;
      if (this.#queued <= highWater) this.open();
    };
    this.#written = written.then(done, done);
    if (this.#queued > highWater) return this.#room.wait();
  }

  /** Lets everybody who waits go on. */
  open(): void {
    this.#room.open();
  }

  /** Resolves once everything so far is written, or has failed. */
  async flushed(): Promise<void> {
    await this.#written;
  }
}
