import { WireError } from "@editwire/core/errors";
import { startTimer } from "@editwire/core/timers";
import type { Unfinished } from "@editwire/framing";

/** Milliseconds in which a process that was busy for long may read what arrived meanwhile. */
const secondLookMs = 50;

/** Watches that a message which has begun goes on. It has one timer, which runs only while a message is unfinished. */
export class StallWatch {
  readonly #stallMs: number;
  readonly #unfinished: () => Unfinished | undefined;
  readonly #onStall: (reason: WireError) => void;
  #stopTimer: (() => void) | undefined;
  #grewAt = 0;
  #suspected = false;

  /** `onStall` is called with the reason once what `unfinished` returns has not grown for `stallMs`. */
  constructor(stallMs: number, unfinished: () => Unfinished | undefined, onStall: (reason: WireError) => void) {
    this.#stallMs = stallMs;
    this.#unfinished = unfinished;
    this.#onStall = onStall;
  }

  /** Bytes arrived, and every whole message was taken out of them. */
  grew(): void {
    if (this.#stopTimer === undefined && this.#unfinished() === undefined) return;
    this.#grewAt = performance.now();
    this.#suspected = false;
    if (this.#stopTimer === undefined) this.#wait(this.#stallMs);
  }

  /** Stops watching. */
  stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  #wait(ms: number): void {
    this.#stopTimer = startTimer(ms, () => this.#look());
  }

  #look(): void {
    this.#stopTimer = undefined;
    const unfinished = this.#unfinished();
    if (unfinished === undefined) return;
    const restMs = this.#grewAt + this.#stallMs - performance.now();
    if (restMs > 0) return this.#wait(restMs);
    if (this.#suspected) return this.#onStall(stalled(unfinished, this.#stallMs));
    this.#suspected = true;
    this.#wait(secondLookMs);
  }
}

function stalled({ receivedBytes, expectedBytes }: Unfinished, stallMs: number): WireError {
  const came =
    expectedBytes === undefined ? `${receivedBytes} bytes` : `${receivedBytes} of ${expectedBytes} bytes of its body`;
  const message = `the other end stopped inside a message: ${came} came, then nothing for ${stallMs} ms`;
  return new WireError("framing", message, { data: { receivedBytes, expectedBytes } });
}
