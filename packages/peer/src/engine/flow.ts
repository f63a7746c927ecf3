import { Gate } from "@editwire/core/gate";
import type { Lanes } from "./lanes.js";

/** Characters of unhandled notifications above which reading pauses. */
const maxUnhandledChars = 262_144;
/** The same while a call awaits its reply. */
const maxQueuedChars = 12 * 1_048_576;

/** How many notifications may be unhandled. */
export interface FlowLimits {
  readonly maxUnhandled: number;
  readonly maxQueued: number;
}

/** Characters of unread answers above which reading pauses. It allows a peer to write a burst before it reads. */
const maxUnread = 1_048_576;

/**
 * Decides when to stop reading. A fast peer fills two queues: the notifications that are not handled yet, which count
 * by number and by characters, and the answers that it does not read.
 *
 * A pause must not delay a reply that a handler waits for, so an ordinary call in flight prevents the first pause. Any
 * call that the peer may still answer prevents the second one: a side whose calls are unanswered always reads, so two
 * sides that write to each other cannot both stop reading. The limit of the transport bounds the queue in that case.
 */
export class Flow {
  /** Calls of this side that wait for a reply which does not follow a stream. */
  ordinary = 0;
  /** All calls of this side that the peer may still answer. */
  unanswered = 0;
  readonly #limits: FlowLimits;
  readonly #lanes: Lanes;
  /** Characters of the answers that the peer has not read. */
  #unread = 0;
  readonly #gate = new Gate();

  constructor(limits: FlowLimits, lanes: Lanes) {
    this.#limits = limits;
    this.#lanes = lanes;
  }

  /** True when reading must pause even if a call is in flight. */
  get full(): boolean {
    const { unhandled, unhandledChars } = this.#lanes;
    return unhandled >= this.#limits.maxQueued || unhandledChars >= maxQueuedChars;
  }

  /** The value to return to the transport after a message: nothing, or the promise to wait for. */
  gate(): Promise<void> | undefined {
    if (!this.#blocked(1)) return undefined;
    return this.#gate.wait();
  }

  /** Continues reading if there is room again: at half of the limit, so that there are few pauses. */
  recheck(): void {
    if (this.#gate.awaited && !this.#blocked(2)) this.open();
  }

  /** Continues reading. */
  open(): void {
    this.#gate.open();
  }

  /** Counts an answer that the peer has not read yet, by the length of its text. */
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
