import { Gate } from "@editwire/core/gate";
import { overloaded } from "../shared/reasons.js";

/** Queued characters above which a sender must wait. */
const highWaterMark = 64 * 1024;

/** Messages on their way to a server, one POST after the other so that they keep their order. */
export class Outbox {
  readonly #post: (json: string) => Promise<void>;
  readonly #maxQueuedBytes: number;
  readonly #room = new Gate();
  readonly #empty = new Gate();
  #queue: string[] = [];
  #queuedBytes = 0;
  #state: "shut" | "idle" | "posting" | "dropped" = "shut";

  /** `post` settles when the server has accepted the message, and does not reject. */
  constructor(post: (json: string) => Promise<void>, maxQueuedBytes: number) {
    this.#post = post;
    this.#maxQueuedBytes = maxQueuedBytes;
  }

  /** Starts posting; until then messages wait. */
  open(): void {
    if (this.#state !== "shut") return;
    this.#state = "idle";
    void this.#work();
  }

  /** Takes one message. Returns a promise above the high-water mark; throws `overloaded` past the limit. */
  push(json: string): void | Promise<void> {
    if (this.#queuedBytes > this.#maxQueuedBytes) throw overloaded(this.#queuedBytes, this.#maxQueuedBytes);
    this.#queue.push(json);
    this.#queuedBytes += json.length;
    void this.#work();
    if (this.#queuedBytes > highWaterMark) return this.#room.wait();
  }

  /** Resolves when every message was posted, or when the rest was dropped. */
  async flushed(): Promise<void> {
    if (this.#queuedBytes > 0 && this.#state !== "dropped") await this.#empty.wait();
  }

  /** Drops what is queued, and releases everyone who waits. */
  drop(): void {
    this.#state = "dropped";
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#room.open();
    this.#empty.open();
  }

  async #work(): Promise<void> {
    if (this.#state !== "idle") return;
    this.#state = "posting";
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      for (const json of batch) {
        await this.#post(json);
        if (this.#dropped) return;
        this.#queuedBytes -= json.length;
        if (this.#queuedBytes <= highWaterMark) this.#room.open();
      }
    }
    this.#state = "idle";
    this.#empty.open();
  }

  /** As a getter, because a POST may change it. */
  get #dropped(): boolean {
    return this.#state === "dropped";
  }
}
