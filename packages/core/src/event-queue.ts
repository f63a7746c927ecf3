import { WireError } from "./errors.js";
import { Gate } from "./gate.js";
import { traced } from "./traced.js";

/** Events that are held for a slow reader before it slows the sender down. */
const highWater = 256;

/** The receiving side of an exchange of many messages: a bounded queue between a connection and one reader. */
export class EventQueue<Event> {
  #events: Event[] = [];
  #read = 0;
  #ended = false;
  #failure: { error: unknown } | undefined;
  #reader: "none" | "active" | "gone" = "none";
  readonly #arrival = new Gate();
  readonly #room = new Gate();

  /** Takes an event; a promise comes back when the reader is behind. Without a reader by then, nothing more is kept. */
  push(event: Event): void | Promise<void> {
    if (this.#reader === "gone" || this.#ended) return;
    this.#events.push(event);
    this.#arrival.open();
    if (this.#unread < highWater) return;
    if (this.#reader === "none") return this.#leave();
    return this.#room.wait();
  }

  /** Ends the iteration after this event. */
  end(last: Event): void {
    this.#finish(() => this.#events.push(last));
  }

  /** Makes the iteration throw once everything before is read. */
  fail(error: unknown): void {
    this.#finish(() => (this.#failure = { error }));
  }

  /** Opens the one iteration; `onLeave` runs when the reader breaks out of it before the end. Throws `overloaded` when events passed unread. */
  read(onLeave: () => void): AsyncIterator<Event> {
    if (this.#reader !== "none") {
      throw new WireError(
        "overloaded",
        `These events are read once, from the start: ${highWater} of them passed unread, or somebody reads them already`,
      );
    }
    this.#reader = "active";
    return {
      next: () => this.#next(),
      return: async () => {
        const early = !this.#ended;
        this.#leave();
        if (early) onLeave();
        return { done: true, value: undefined };
      },
    };
  }

  async #next(): Promise<IteratorResult<Event, undefined>> {
    while (this.#unread === 0) {
      if (this.#failure !== undefined) throw traced(this.#failure.error);
      if (this.#ended || this.#reader === "gone") return { done: true, value: undefined };
      await this.#arrival.wait();
    }
    const value = this.#events[this.#read++] as Event;
    if (this.#read >= highWater || this.#unread === 0) {
      this.#events = this.#events.slice(this.#read);
      this.#read = 0;
    }
    if (this.#unread < highWater / 2) this.#room.open();
    return { done: false, value };
  }

  get #unread(): number {
    return this.#events.length - this.#read;
  }

  #finish(last: () => void): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#reader !== "gone") last();
    this.#arrival.open();
  }

  #leave(): void {
    this.#reader = "gone";
    this.#events = [];
    this.#read = 0;
    this.#room.open();
    this.#arrival.open();
  }
}
