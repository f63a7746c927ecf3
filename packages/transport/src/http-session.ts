import { WireError } from "@editwire/core/errors";
import { Gate } from "@editwire/core/gate";
import { Mailbox, type MailboxLimits } from "./http-mailbox.js";
import { closedHere, closedThere, sendAfterClose } from "./reasons.js";
import { startInterval, startTimer } from "@editwire/core/timers";
import { within } from "./timers.js";
import type { Transport, TransportEvents } from "./transport.js";

/** What one client of an HTTP server may take. */
export interface HttpSessionLimits extends MailboxLimits {
  readonly idleMs: number;
  readonly keepAliveMs: number;
  readonly closeTimeoutMs: number;
}

/**
 * One client id of an HTTP server, as a transport: what it POSTs comes in, what is sent goes out on its event stream.
 * After its end it remembers the id for `idleMs`, so that a client which returns learns that the session is over.
 */
export class HttpSession implements Transport {
  readonly #limits: HttpSessionLimits;
  readonly #mailbox: Mailbox;
  readonly #onForget: () => void;
  readonly #started = new Gate();
  /** It sent what makes it a client that keeps its slot. */
  opened = false;
  #hadStream = false;
  #hadMessage = false;
  #events: TransportEvents | undefined;
  #reason: WireError | undefined;
  #closing: Promise<void> | undefined;
  #lastKey: string | undefined;
  #posts: Promise<unknown> = Promise.resolve();
  #waitingPosts = 0;
  #stopIdle = (): void => {};
  #stopPings = (): void => {};

  constructor(limits: HttpSessionLimits, onForget: () => void) {
    this.#limits = limits;
    this.#mailbox = new Mailbox(limits);
    this.#onForget = onForget;
    this.#watchIdle();
  }

  /** True once the session has ended. */
  get over(): boolean {
    return this.#reason !== undefined;
  }

  /** No other client takes its slot: it was opened, and it has read what it is sent. */
  get keepsSlot(): boolean {
    return this.opened && this.#hadStream;
  }

  /** Nothing valid came from it, and nothing waits for it. */
  get isUseless(): boolean {
    return !this.#hadMessage && !this.#hadStream && this.#waitingPosts === 0 && !this.over;
  }

  /** POSTs that are not answered yet. */
  get waitingPosts(): number {
    return this.#waitingPosts;
  }

  /** The id of the last event that was sent. */
  get lastEventId(): string {
    return this.#mailbox.lastEventId;
  }

  start(events: TransportEvents): void {
    const reason = this.#reason;
    this.#events = events;
    this.#started.open();
    if (reason !== undefined) queueMicrotask(() => events.closed(reason));
  }

  send(json: string): void | Promise<void> {
    if (this.#closing !== undefined || this.over) throw sendAfterClose();
    return this.#mailbox.push(json);
  }

  close(): Promise<void> {
    return (this.#closing ??= within(this.#limits.closeTimeoutMs, this.#mailbox.end()).then(() =>
      this.#finish(closedHere()),
    ));
  }

  /** Ends the session of a client that will not return, and forgets it. */
  leave(reason = closedThere()): void {
    this.#finish(reason);
    this.#stopIdle();
    this.#onForget();
  }

  /** Runs a POST of this client after those that arrived before it. */
  inOrder<T>(post: () => Promise<T>): Promise<T> {
    this.#waitingPosts += 1;
    this.#stopIdle();
    const result = this.#posts.then(post).finally(() => {
      this.#waitingPosts -= 1;
      this.#watchIdle();
    });
    this.#posts = result.catch(() => {});
    return result;
  }

  /**
   * Delivers a message to the listener and waits while that is busy. A POST that repeats the key of the last one is not
   * delivered again. False when the session is over.
   */
  async deliver(value: unknown, length: number, key: string | null): Promise<boolean> {
    if (this.#events === undefined && !this.over) await this.#started.wait();
    if (this.over) return false;
    this.#hadMessage = true;
    if (this.#closing !== undefined || (key !== null && key === this.#lastKey)) return true;
    this.#lastKey = key ?? undefined;
    const settled = this.#events?.message(value, length);
    if (settled !== undefined) await settled.catch(() => {}); // the listener reports its own failures
    return true;
  }

  /** The position of an event that the stream can go on after. */
  positionOf(eventId: string): number | undefined {
    return this.#mailbox.positionOf(eventId);
  }

  /** Opens the event stream, after the event at `position` if it is given. */
  attach(position: number | undefined): ReadableStream<Uint8Array> {
    this.#hadStream = true;
    this.#stopIdle();
    this.#stopPings();
    this.#stopPings = startInterval(this.#limits.keepAliveMs, () => this.#mailbox.ping());
    return this.#mailbox.attach(position, () => {
      this.#stopPings();
      this.#watchIdle();
    });
  }

  #watchIdle(): void {
    this.#stopIdle();
    if (this.#mailbox.attached || this.#waitingPosts > 0) return;
    const { idleMs } = this.#limits;
    this.#stopIdle = startTimer(idleMs, () =>
      this.leave(new WireError("closed", `the client was away for ${idleMs} ms`)),
    );
  }

  #finish(reason: WireError): void {
    if (this.over) return;
    this.#reason = reason;
    this.#stopPings();
    this.#mailbox.drop();
    this.#started.open();
    this.#events?.closed(reason);
    this.#watchIdle();
  }
}
