import { Gate } from "./gate.js";
import { overloaded } from "./reasons.js";

/** Characters queued above which a sender is asked to wait. */
const highWaterMark = 64 * 1024;

/** Messages on their way to a server, one POST after the other so that they keep their order. */
export class Outbox {
  readonly #post: (json: string) => Promise<void>;
  readonly #maxQueuedBytes: number;
  readonly #room = new Gate();
  readonly #empty = new Gate();
  #queue: string[] = [];
  #queuedBytes = 0;
  #posting = false;

  constructor(post: (json: string) => Promise<void>, maxQueuedBytes: number) {
    this.#post = post;
    this.#maxQueuedBytes = maxQueuedBytes;
  }

  /** Takes one message. Returns a promise above the high-water mark; throws `overloaded` past the limit. */
  push(json: string): void | Promise<void> {
    if (this.#queuedBytes > this.#maxQueuedBytes) throw overloaded(this.#queuedBytes, this.#maxQueuedBytes);
    this.#queue.push(json);
    this.#queuedBytes += json.length;
    if (!this.#posting) void this.#work();
    if (this.#queuedBytes > highWaterMark) return this.#room.wait();
  }

  /** Resolves when nothing is under way any more. */
  async flushed(): Promise<void> {
    if (this.#posting) await this.#empty.wait();
  }

  /** Forgets what waits; nobody waits any longer. */
  drop(): void {
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#room.open();
    this.#empty.open();
  }

  async #work(): Promise<void> {
    this.#posting = true;
    for (let json = this.#queue.shift(); json !== undefined; json = this.#queue.shift()) {
      await this.#post(json);
      this.#queuedBytes = Math.max(0, this.#queuedBytes - json.length);
      if (this.#queuedBytes <= highWaterMark) this.#room.open();
    }
    this.#posting = false;
    this.#empty.open();
  }
}
