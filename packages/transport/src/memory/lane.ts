import { isWireError } from "@editwire/core/errors";
import { Gate } from "@editwire/core/gate";
import { overloaded } from "../shared/reasons.js";
import { deliverBroken, parseMessage } from "../shared/json.js";
import type { TransportEvents } from "../transport.js";

/** One direction of a memory pair: a bounded queue of JSON text, delivered in one microtask per tick. */
export class Lane {
  readonly #highWaterMark: number;
  readonly #maxQueuedBytes: number;
  readonly #room = new Gate();
  #inbox: string[] = [];
  /** The messages that are being delivered, last one first. */
  #batch: string[] = [];
  #queuedBytes = 0;
  #receiver: TransportEvents | undefined;
  #onEnd = (): void => {};
  #waiting = false;
  #scheduled = false;
  #ended = false;
  #dropped = false;

  constructor(highWaterMark: number, maxQueuedBytes: number) {
    this.#highWaterMark = highWaterMark;
    this.#maxQueuedBytes = maxQueuedBytes;
  }

  /** Takes one message. Returns a promise above the high-water mark; throws `overloaded` past the limit. */
  push(json: string): void | Promise<void> {
    if (this.#dropped) return;
    if (this.#queuedBytes > this.#maxQueuedBytes) throw overloaded(this.#queuedBytes, this.#maxQueuedBytes);
    this.#queuedBytes += json.length;
    this.#inbox.push(json);
    this.#schedule();
    if (this.#queuedBytes > this.#highWaterMark) return this.#room.wait();
  }

  /** Ends the lane: releases everyone who waits, and runs `onEnd` once everything is delivered. */
  end(): void {
    this.#ended = true;
    this.#room.open();
    this.#schedule();
  }

  /** Drops what is queued and everything pushed from now on: the receiver has closed. */
  drop(): void {
    this.#dropped = true;
    this.#inbox = [];
    this.#batch = [];
    this.#room.open();
  }

  /** Starts delivering. */
  listen(receiver: TransportEvents, onEnd: () => void): void {
    this.#receiver = receiver;
    this.#onEnd = onEnd;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting || this.#receiver === undefined) return;
    this.#scheduled = true;
    queueMicrotask(this.#deliver);
  }

  #deliver = (): void => {
    this.#scheduled = false;
    while (!this.#waiting && !this.#dropped) {
      const json = this.#take();
      if (json !== undefined) this.#hand(json);
      else return this.#ended ? this.#onEnd() : undefined;
    }
  };

  #take(): string | undefined {
    if (this.#batch.length === 0) {
      this.#batch = this.#inbox.reverse();
      this.#inbox = [];
    }
    const json = this.#batch.pop();
    if (json !== undefined) this.#queuedBytes -= json.length;
    if (this.#queuedBytes <= this.#highWaterMark) this.#room.open();
    return json;
  }

  #hand(json: string): void {
    const value = parseMessage(json);
    const settled = isWireError(value)
      ? this.#receiver && deliverBroken(json, value, this.#receiver)
      : this.#receiver?.message(value, json.length);
    if (settled === undefined) return;
    this.#waiting = true;
    settled.then(this.#proceed, this.#proceed);
  }

  #proceed = (): void => {
    this.#waiting = false;
    this.#deliver();
  };
}
