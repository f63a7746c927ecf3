import { WireError } from "@editwire/core/errors";
import { Mailbox, type MailboxLimits } from "./http-mailbox.js";
import { closedHere, sendAfterClose } from "./reasons.js";
import { startInterval, startTimer } from "./timers.js";
import type { Transport, TransportEvents } from "./transport.js";

/** What one client of an HTTP server may take. */
export interface HttpClientLimits extends MailboxLimits {
  readonly idleMs: number;
  readonly keepAliveMs: number;
}

/** One client id of an HTTP server, as a transport: what it POSTs comes in, what is sent goes out on its event stream. */
export class HttpSession implements Transport {
  readonly #limits: HttpClientLimits;
  readonly #mailbox: Mailbox;
  readonly #onClosed: () => void;
  #events: TransportEvents | undefined;
  #reason: WireError | undefined;
  #posts: Promise<unknown> = Promise.resolve();
  #postsInProgress = 0;
  #stopIdle = (): void => {};
  #stopPings = (): void => {};

  constructor(limits: HttpClientLimits, onClosed: () => void) {
    this.#limits = limits;
    this.#mailbox = new Mailbox(limits);
    this.#onClosed = onClosed;
  }

  start(events: TransportEvents): void {
    this.#events = events;
    if (this.#reason !== undefined) events.closed(this.#reason);
  }

  send(json: string): void | Promise<void> {
    if (this.#reason !== undefined) throw sendAfterClose();
    return this.#mailbox.push(json);
  }

  async close(): Promise<void> {
    this.#finish(closedHere(), () => this.#mailbox.end());
  }

  /** Runs a POST of this client after those that arrived before it. */
  inOrder<T>(post: () => Promise<T>): Promise<T> {
    this.#postsInProgress += 1;
    this.#stopIdle();
    const result = this.#posts.then(post).finally(() => {
      this.#postsInProgress -= 1;
      this.#watchIdle();
    });
    this.#posts = result.catch(() => {});
    return result;
  }

  /** Hands a message to the listener; waits while that is busy. */
  async deliver(value: unknown): Promise<void> {
    await Promise.resolve(this.#events?.message(value)).catch(() => {}); // a listener reports its failures itself
  }

  /** True when the event stream can go on after the event `lastId`. */
  reaches(lastId: number): boolean {
    return this.#mailbox.reaches(lastId);
  }

  /** Opens the event stream. */
  attach(lastId: number | undefined): ReadableStream<Uint8Array> {
    this.#stopIdle();
    this.#stopPings();
    const stream = this.#mailbox.attach(lastId, () => {
      this.#stopPings();
      this.#watchIdle();
    });
    this.#stopPings = startInterval(this.#limits.keepAliveMs, () => this.#mailbox.ping());
    return stream;
  }

  #watchIdle(): void {
    this.#stopIdle();
    if (this.#reason !== undefined || this.#mailbox.attached || this.#postsInProgress > 0) return;
    const { idleMs } = this.#limits;
    this.#stopIdle = startTimer(idleMs, () => {
      this.#finish(new WireError("closed", `the client was away for ${idleMs} ms`), () => this.#mailbox.drop());
    });
  }

  #finish(reason: WireError, endMailbox: () => void): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#stopIdle();
    this.#stopPings();
    endMailbox();
    this.#onClosed();
    this.#events?.closed(reason);
  }
}
