import { Gate } from "@editwire/core/gate";
import type { Lanes } from "./lanes.js";

/** Characters of unhandled notifications above which reading pauses. */
const maxUnhandledChars = 1_048_576;
/** The same while a call awaits its reply. */
const maxQueuedChars = 12 * 1_048_576;

/** How many notifications may be unhandled. */
export interface FlowLimits {
  readonly maxUnhandled: number;
  readonly maxQueued: number;
}

/**
 * Characters of untaken answers above which reading pauses, so that a peer which writes a burst before it reads is
 * served.
 */
const maxUnread = 1_048_576;

/**
 * Decides when to stop reading. A fast peer fills two things: the notifications that are not handled yet, which count
 * by number and by characters, and the answers that it does not take.
 *
 * A pause must not keep out a reply that a handler waits for, so an ordinary call in flight lifts the first. Any call
 * that the peer may still answer lifts the second: a side whose calls are unanswered always reads, so two sides that
 * write to each other cannot both have stopped reading. What then piles up is bounded by the transport's own limit.
 */
export class Flow {
  /** Calls of this side that wait for a reply which follows no stream. */
  ordinary = 0;
  /** All calls of this side that the peer may still answer. */
  unanswered = 0;
  readonly #limits: FlowLimits;
  readonly #lanes: Lanes;
  /** Characters of the answers that the peer does not take. */
  #unread = 0;
  readonly #gate = new Gate();

  constructor(limits: FlowLimits, lanes: Lanes) {
    this.#limits = limits;
    this.#lanes = lanes;
  }

  /** True when not even a call in flight lets more notifications in. */
  get full(): boolean {
    const { unhandled, unhandledChars } = this.#lanes;
    return unhandled >= this.#limits.maxQueued || unhandledChars >= maxQueuedChars;
  }

  /** What to give the transport after a message: nothing, or the promise to wait for. */
  gate(): Promise<void> | undefined {
    if (!this.#blocked(1)) return undefined;
    return this.#gate.wait();
  }

  /** Reads on if there is room again: at half the limit, so that pauses are few. */
  recheck(): void {
    if (this.#gate.awaited && !this.#blocked(2)) this.open();
  }

  /** Reads on. */
  open(): void {
    this.#gate.open();
  }

  /** Notes an answer that the peer does not take yet, by the length of its text. */
  slow(room: Promise<void>, length: number): void {
    this.#unread += length;
    const taken = (): void => {
      this.#unread -= length;
      this.recheck();
    };
    room.then(taken, taken);
  }

  #blocked(divisor: number): boolean {
    return (this.ordinary === 0 && this.#behind(divisor)) || (this.unanswered === 0 && this.#unread >= maxUnread);
  }

  /** True when as much is unhandled as this fraction of a limit. */
  #behind(divisor: number): boolean {
    const { unhandled, unhandledChars } = this.#lanes;
    return unhandled >= this.#limits.maxUnhandled / divisor || unhandledChars >= maxUnhandledChars / divisor;
  }
}
