import { WireError } from "@editwire/core/errors";
import { Gate } from "@editwire/core/gate";

/** Characters of unwritten messages above which a sender is asked to wait. */
const highWater = 64 * 1024;

/** Counts the messages that a connection has accepted and not yet written. */
export class Outbox {
  readonly #maxQueued: number;
  #queued = 0;
  readonly #room = new Gate();
  #written: Promise<unknown> = Promise.resolve();

  constructor(maxQueued: number) {
    this.#maxQueued = maxQueued;
  }

  /** Throws `overloaded` if the limit is reached. */
  check(): void {
    if (this.#queued <= this.#maxQueued) return;
    throw new WireError(
      "overloaded",
      `cannot send: ${this.#queued} characters wait for a slow peer; the limit is ${this.#maxQueued}`,
    );
  }

  /**
   * Counts a message of this length; returns a promise if too many wait. The connection reports a rejection of
   * `written`.
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

  /** Resumes all waiters. */
  open(): void {
    this.#room.open();
  }

  /** Resolves after everything so far is written or has failed. */
  async flushed(): Promise<void> {
    await this.#written;
  }
}
