import { WireError } from "@editwire/core/errors";
import { Gate } from "@editwire/core/gate";
import { Mailboxes, type MailboxesLimits } from "./mailboxes.js";
import { closedHere, closedThere, sendAfterClose } from "../shared/reasons.js";
import { startInterval, startTimer } from "@editwire/core/timers";
import { within } from "../shared/timers.js";
import type { Held, QueueTotal } from "../listening/queue-total.js";
import type { Transport, TransportEvents } from "../transport.js";

/** The limits of one client of an HTTP server. */
export interface HttpSessionLimits extends MailboxesLimits {
  readonly idleMs: number;
  readonly keepAliveMs: number;
  readonly closeTimeoutMs: number;
  /** The unsent bytes of all sessions of the server. */
  readonly total: QueueTotal;
}

/** An event stream for a client. */
export interface OpenStream {
  readonly body: ReadableStream<Uint8Array>;
  /** The event that the stream continues after. */
  readonly lastEventId: string;
}

/** Says that a client has no session any more. */
export function closedText(what: "client" | "connection", { reason }: HttpSession): string {
  const isOverloaded = reason?.code === "overloaded";
  return `this ${what} was closed${isOverloaded ? ": the server is overloaded, and it read too slowly" : ""}`;
}

/** The name of a client's only event stream, or of the one beside those that have names. */
export const ownStream = "";

/**
 * One client id of an HTTP server, as a transport: what it POSTs comes in, what is sent goes out on an event stream.
 * After its end it remembers the id for `idleMs`, so that a client which returns learns that the session is over.
 */
export class HttpSession implements Transport, Held {
  readonly #limits: HttpSessionLimits;
  readonly #mailboxes: Mailboxes;
  readonly #onForget: () => void;
  readonly #streamOf: (json: string) => string | undefined;
  readonly #started = new Gate();
  readonly #ended = new Gate();
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
  readonly #stopCounting: () => void;
  #absentSince: number | undefined;
  #stopIdle = (): void => {};
  #stopPings = (): void => {};

  /** `streamOf` names the event stream of a message; it returns `undefined` for one that it takes itself. */
  constructor(
    limits: HttpSessionLimits,
    onForget: () => void,
    streamOf: (json: string) => string | undefined = () => ownStream,
  ) {
    this.#limits = limits;
    this.#mailboxes = new Mailboxes(limits);
    this.#onForget = onForget;
    this.#streamOf = streamOf;
    this.#stopCounting = limits.total.add(this);
    this.#watchIdle();
  }

  /** Why the session has ended. */
  get reason(): WireError | undefined {
    return this.#reason;
  }

  /** True once the session has ended. */
  get over(): boolean {
    return this.#reason !== undefined;
  }

  /** It was opened, and it has read what it is sent: while it is present, no other client takes its slot. */
  get keepsSlot(): boolean {
    return this.opened && this.#hadStream;
  }

  /** Since when it has neither an open stream nor a POST, in milliseconds of a steady clock. */
  get absentSince(): number | undefined {
    return this.#absentSince;
  }

  get queuedBytes(): number {
    return this.#mailboxes.queuedBytes;
  }

  get keptBytes(): number {
    return this.#mailboxes.keptBytes;
  }

  dropKept(): void {
    this.#mailboxes.dropKept();
  }

  cut(reason: WireError): void {
    this.#finish(reason);
  }

  /** Nothing valid came from it, and nothing waits for it. */
  get isUseless(): boolean {
    return !this.#hadMessage && !this.#hadStream && this.#waitingPosts === 0 && !this.over;
  }

  /** POSTs that are not answered yet. */
  get waitingPosts(): number {
    return this.#waitingPosts;
  }

  start(events: TransportEvents): void {
    const reason = this.#reason;
    this.#events = events;
    this.#started.open();
    if (reason !== undefined) queueMicrotask(() => events.closed(reason));
  }

  send(json: string): void | Promise<void> {
    if (this.#closing !== undefined || this.over) throw sendAfterClose();
    const stream = this.#streamOf(json);
    if (stream === undefined) return;
    const room = this.#mailboxes.of(stream).push(json);
    this.#limits.total.grew(json.length);
    return room;
  }

  close(): Promise<void> {
    return (this.#closing ??= within(this.#limits.closeTimeoutMs, this.#mailboxes.end()).then(() =>
      this.#finish(closedHere()),
    ));
  }

  /** Resolves when the session is over. */
  async ended(): Promise<void> {
    if (!this.over) await this.#ended.wait();
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
    this.#here();
    const result = this.#posts.then(post).finally(() => {
      this.#waitingPosts -= 1;
      this.#watchIdle();
    });
    this.#posts = result.catch(() => {});
    return result;
  }

  /** True for the key of the last POST, which is then made again because its answer was lost. */
  repeats(key: string | null): boolean {
    return key !== null && key === this.#lastKey;
  }

  /**
   * Delivers a message to the listener and waits while that is busy. A POST that repeats the key of the last one is not
   * delivered again. False when the session is over.
   */
  async deliver(value: unknown, length: number, key: string | null): Promise<boolean> {
    if (this.#events === undefined && !this.over) await this.#started.wait();
    if (this.over) return false;
    this.#hadMessage = true;
    if (this.#closing !== undefined || this.repeats(key)) return true;
    this.#lastKey = key ?? undefined;
    const settled = this.#events?.message(value, length);
    if (settled !== undefined) await settled.catch(() => {}); // the listener reports its own failures
    return true;
  }

  /** True while a client reads the stream. */
  isOpen(stream: string): boolean {
    return this.#mailboxes.known(stream)?.attached === true;
  }

  /** False when the client has as many streams as it may have, and this would be one more. */
  hasRoomFor(stream: string): boolean {
    return this.#mailboxes.hasRoomFor(stream);
  }

  /** Opens an event stream, after the event `after` if it is given. Undefined when what followed is not kept. */
  openStream(stream: string, after: string | null): OpenStream | undefined {
    const mailbox = after === null ? this.#mailboxes.of(stream) : this.#mailboxes.known(stream);
    const position = after === null ? undefined : mailbox?.positionOf(after);
    if (mailbox === undefined || (after !== null && position === undefined)) return undefined;
    this.#hadStream = true;
    this.#here();
    this.#stopPings();
    this.#stopPings = startInterval(this.#limits.keepAliveMs, () => this.#mailboxes.ping());
    const lastEventId = after ?? mailbox.lastEventId;
    const body = mailbox.attach(position, () => {
      if (this.#mailboxes.attached) return;
      this.#stopPings();
      this.#watchIdle();
    });
    return { body, lastEventId };
  }

  /** It is present. */
  #here(): void {
    this.#stopIdle();
    this.#absentSince = undefined;
  }

  #watchIdle(): void {
    this.#here();
    if (this.#mailboxes.attached || this.#waitingPosts > 0) return;
    const { idleMs } = this.#limits;
    this.#absentSince = performance.now();
    this.#stopIdle = startTimer(idleMs, () =>
      this.leave(new WireError("closed", `the client was away for ${idleMs} ms`)),
    );
  }

  #finish(reason: WireError): void {
    if (this.over) return;
    this.#reason = reason;
    this.#stopCounting();
    this.#stopPings();
    this.#mailboxes.drop();
    this.#started.open();
    this.#ended.open();
    this.#events?.closed(reason);
    this.#watchIdle();
  }
}
