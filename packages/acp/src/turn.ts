import type { StopReason } from "@editwire/acp-schema";
import { WireError } from "@editwire/core";
import type { TurnEvent, UpdateEvent } from "./events.js";

/** Events that a turn holds for a slow reader before it slows the agent down. */
const highWater = 256;

/**
 * One prompt turn: iterate it for its events, of which the last is `stop`; or await `stopReason` alone.
 * Leaving the loop early cancels the turn. The iteration throws what the prompt threw.
 */
export interface AcpTurn extends AsyncIterable<TurnEvent> {
  /**
   * How the turn ended. Rejects with the agent's `RemoteError`, or a `WireError` when the connection is lost.
   * A turn that nobody iterates keeps no events.
   */
  readonly stopReason: Promise<StopReason>;
  /** Sends `session/cancel` and answers open permission requests with `cancelled`; the turn then ends as `cancelled`. */
  cancel(): Promise<void>;
}

/** The receiving side of a turn: a bounded queue between the connection and one reader. */
export class TurnQueue {
  #events: TurnEvent[] = [];
  #read = 0;
  #ended = false;
  #failure: { error: unknown } | undefined;
  #reader: "none" | "active" | "gone" = "none";
  #wakeReader: (() => void) | undefined;
  #room: { promise: Promise<void>; release: () => void } | undefined;

  /** Takes an event; a promise comes back when the reader is behind. */
  push(event: UpdateEvent): void | Promise<void> {
    if (this.#reader === "gone" || this.#ended) return;
    this.#events.push(event);
    this.#wake();
    if (this.#unread < highWater) return;
    if (this.#reader === "none") return this.#leave();
    return (this.#room ??= deferred()).promise;
  }

  end(stopReason: StopReason): void {
    this.#finish(() => this.#events.push({ type: "stop", stopReason }));
  }

  fail(error: unknown): void {
    this.#finish(() => (this.#failure = { error }));
  }

  /** Opens the one iteration; `onLeave` runs when the reader breaks out of it before the end. */
  read(onLeave: () => void): AsyncIterator<TurnEvent> {
    if (this.#reader !== "none") {
      throw new WireError("overloaded", `A turn is read once, from its start: ${highWater} events passed unread, or it is being read already`);
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

  async #next(): Promise<IteratorResult<TurnEvent, undefined>> {
    while (this.#unread === 0) {
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#ended || this.#reader === "gone") return { done: true, value: undefined };
      await new Promise<void>((resolve) => (this.#wakeReader = resolve));
    }
    const value = this.#events[this.#read++] as TurnEvent;
    if (this.#unread === 0) {
      this.#events = [];
      this.#read = 0;
    }
    if (this.#unread < highWater / 2) this.#release();
    return { done: false, value };
  }

  get #unread(): number {
    return this.#events.length - this.#read;
  }

  #finish(last: () => void): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#reader !== "gone") last();
    this.#wake();
  }

  #leave(): void {
    this.#reader = "gone";
    this.#events = [];
    this.#read = 0;
    this.#release();
    this.#wake();
  }

  #wake(): void {
    this.#wakeReader?.();
    this.#wakeReader = undefined;
  }

  #release(): void {
    this.#room?.release();
    this.#room = undefined;
  }
}

function deferred(): { promise: Promise<void>; release: () => void } {
  let release = (): void => {};
  const promise = new Promise<void>((resolve) => (release = resolve));
  return { promise, release };
}
