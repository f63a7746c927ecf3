import { WireError } from "@editwire/core/errors";
import type { Transport, TransportEvents } from "@editwire/transport";
import { charsOf } from "../../src/index.js";

/** A message as the far end sees it. */
export interface Sent {
  readonly jsonrpc: "2.0";
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { code: number; message: string; data?: unknown };
}

/** A transport whose far end is the test: it hands in any value, and sees what is sent. */
export class Wire implements Transport {
  /** Everything that was sent, as text. */
  readonly texts: string[] = [];
  /** Returned by `send`: a promise makes the far end slow. */
  room: Promise<void> | undefined;
  /** Thrown by `send`. */
  refusal: WireError | undefined;
  #events: TransportEvents | undefined;
  #ended = false;
  #read = 0;
  readonly #readers: (() => void)[] = [];

  start(events: TransportEvents): void {
    this.#events = events;
  }

  send(json: string): void | Promise<void> {
    if (this.#ended) throw new WireError("closed", "cannot send");
    if (this.refusal !== undefined) throw this.refusal;
    this.texts.push(json);
    this.#readers.shift()?.();
    return this.room;
  }

  close(): Promise<void> {
    this.end(new WireError("closed", "closed here"));
    return Promise.resolve();
  }

  /** Everything that was sent. */
  get sent(): Sent[] {
    return this.texts.map((text) => JSON.parse(text) as Sent);
  }

  /** The next message that was or will be sent. */
  async next(): Promise<Sent> {
    const index = this.#read++;
    if (index >= this.texts.length) await new Promise<void>((resolve) => this.#readers.push(resolve));
    return JSON.parse(this.texts[index] as string) as Sent;
  }

  /** Hands in any value as a message. */
  receive(value: unknown): void | Promise<void> {
    return this.#events?.message(value, charsOf(value));
  }

  request(id: unknown, method: string, params?: unknown): void | Promise<void> {
    return this.receive({ jsonrpc: "2.0", id, method, params });
  }

  notify(method: string, params?: unknown): void | Promise<void> {
    return this.receive({ jsonrpc: "2.0", method, params });
  }

  answer(id: unknown, result: unknown): void | Promise<void> {
    return this.receive({ jsonrpc: "2.0", id, result });
  }

  malformed(error: WireError, value?: unknown): void {
    this.#events?.malformed(error, value);
  }

  end(reason: WireError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#events?.closed(reason);
  }
}
