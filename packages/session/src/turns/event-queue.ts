import { traced, WireError } from "@editwire/core";
import { Gate } from "@editwire/core/gate";

/** Unread events above which a queue slows the sender down. */
const maxUnread = 256;
/** Characters above which it does, with those of the event that the reader handles. */
const maxUnreadChars = 262_144;
/** Unread events from which on events are joined: a reader that keeps up gets each as it was sent. */
const minJoined = 8;

/** The event in place of two that follow each other; `undefined` for events that stay two. */
export type JoinEvents<Event> = (waiting: Event, next: Event) => Event | undefined;

interface Entry<Event> {
  readonly event: Event;
  readonly chars: number;
}

/** A bounded queue of events between a connection and one reader. */
export class EventQueue<Event> {
  /** Those that were read are `undefined`, so that nothing keeps a large event alive. */
  #entries: (Entry<Event> | undefined)[] = [];
  #next = 0;
  #taken = 0;
  #chars = 0;
  /** Characters of the event that the reader handles. They count until it asks for the next one. */
  #handledChars = 0;
  #ended = false;
  #failure: { error: unknown } | undefined;
  #reader: "none" | "active" | "gone" = "none";
  readonly #arrival = new Gate();
  readonly #room = new Gate();
  readonly #step = new Gate();
  readonly #join: JoinEvents<Event> | undefined;

  /** @param join Joins events while eight or more are unread. Default: they stay as they are. */
  constructor(join?: JoinEvents<Event>) {
    this.#join = join;
  }

  /**
   * Takes an event of `chars` characters. Returns a promise when the reader is behind: it resolves when there is room.
   * When nobody reads and the queue is full, it drops all events and takes no more.
   */
  push(event: Event, chars = 0): void | Promise<void> {
    if (this.#reader === "gone" || this.#ended) return;
    this.#add(event, chars);
    this.#chars += chars;
    this.#arrival.open();
    if (!this.#isFull(1)) return;
    if (this.#reader === "none") return this.#leave();
    return this.#room.wait();
  }

  /** Resolves when the reader has begun to handle the events so far; at once when nobody reads. */
  async handed(): Promise<void> {
    const target = this.#taken + this.#unread;
    while (this.#reader === "active" && this.#taken < target) await this.#step.wait();
    // The reader's code runs some microtasks after `next` resolved: a later task comes after it.
    if (this.#reader === "active") await new Promise<void>((resolve) => setTimeout(resolve, 0));
  }

  /** Ends the iteration after this event. */
  end(last: Event): void {
    this.#finish(() => this.#entries.push({ event: last, chars: 0 }));
  }

  /** Makes the iteration throw this error after the last event. */
  fail(error: unknown): void {
    this.#finish(() => (this.#failure = { error }));
  }

  /**
   * Starts the one iteration. `onLeave` is called when the reader leaves it before the end.
   * Throws `overloaded` when events were dropped, or when the queue has a reader.
   */
  read(onLeave: () => void): AsyncIterator<Event> {
    if (this.#reader !== "none") {
      throw new WireError(
        "overloaded",
        `events can be read only once: another loop reads them, or more than ${maxUnread} were dropped unread`,
      );
    }
    this.#reader = "active";
    return {
      next: () => this.#take(),
      return: async () => {
        const isEarly = !this.#ended;
        this.#leave();
        if (isEarly) onLeave();
        return { done: true, value: undefined };
      },
    };
  }

  #add(event: Event, chars: number): void {
    const last = this.#unread >= minJoined ? this.#entries.at(-1) : undefined;
    const joined = last && this.#join?.(last.event, event);
    if (last === undefined || joined === undefined) this.#entries.push({ event, chars });
    else this.#entries[this.#entries.length - 1] = { event: joined, chars: last.chars + chars };
  }

  /** Not async, because an event that is there already needs no further promise. */
  #take(): Promise<IteratorResult<Event, undefined>> {
    const entry = this.#entries[this.#next];
    this.#chars -= this.#handledChars;
    this.#handledChars = entry?.chars ?? 0;
    if (!this.#isFull(2)) this.#room.open();
    if (entry === undefined) return this.#await();
    this.#entries[this.#next++] = undefined;
    this.#taken++;
    if (this.#next >= maxUnread || this.#unread === 0) {
      this.#entries = this.#unread === 0 ? [] : this.#entries.slice(this.#next);
      this.#next = 0;
    }
    if (!this.#isFull(2)) this.#room.open();
    this.#step.open();
    return Promise.resolve({ done: false, value: entry.event });
  }

  async #await(): Promise<IteratorResult<Event, undefined>> {
    if (this.#failure !== undefined) throw traced(this.#failure.error);
    if (this.#ended || this.#reader === "gone") return { done: true, value: undefined };
    await this.#arrival.wait();
    return this.#take();
  }

  get #unread(): number {
    return this.#entries.length - this.#next;
  }

  #isFull(divisor: number): boolean {
    return this.#unread >= maxUnread / divisor || this.#chars >= maxUnreadChars / divisor;
  }

  #finish(last: () => void): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#reader !== "gone") last();
    this.#arrival.open();
  }

  #leave(): void {
    this.#reader = "gone";
    this.#entries = [];
    this.#next = 0;
    this.#chars = this.#handledChars = 0;
    this.#room.open();
    this.#step.open();
    this.#arrival.open();
  }
}
