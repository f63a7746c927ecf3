import { Gate } from "@editwire/core/gate";
import { atEndOfTick } from "../shared/end-of-tick.js";
import { randomId } from "./keys.js";
import { overloaded } from "../shared/reasons.js";
import { encodeUtf8 } from "../shared/utf8.js";

/** How much one client's mailboxes keep, in characters. */
export interface MailboxLimits {
  /** The limit of the unsent bytes of all of them together. */
  readonly maxQueuedBytes: number;
  /** The limit of the sent bytes that each one keeps. */
  readonly maxReplayBytes: number;
}

/** The unsent messages in the mailboxes of one client. */
export interface Backlog {
  queuedBytes: number;
}

/** Queued characters above which a sender must wait, and bytes that a stream buffers. */
const highWaterMark = 64 * 1024;

/**
 * One event stream of a client: a list of numbered messages. Those before `#next` were sent, and are kept for a
 * stream that is opened again. Those from `#next` on wait for a stream.
 */
export class Mailbox {
  readonly #limits: MailboxLimits;
  readonly #backlog: Backlog;
  /**
   * Distinguishes the ids of this mailbox from those of an earlier one for the same client, such as before a restart.
   */
  readonly #epoch = randomId();
  readonly #messages = new Map<number, string>();
  readonly #room = new Gate();
  readonly #drained = new Gate();
  #oldest = 1;
  #next = 1;
  #newest = 0;
  #sentBytes = 0;
  #queuedBytes = 0;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  #ended = false;

  constructor(limits: MailboxLimits, backlog: Backlog) {
    this.#limits = limits;
    this.#backlog = backlog;
  }

  /** True while an event stream is open. */
  get attached(): boolean {
    return this.#stream !== undefined;
  }

  /** True while messages wait for a stream. */
  get waits(): boolean {
    return this.#queuedBytes > 0;
  }

  /** Characters that are kept after they were sent. */
  get keptBytes(): number {
    return this.#sentBytes;
  }

  /** Drops them. */
  dropKept(): void {
    while (this.#oldest < this.#next) this.#forgetOldest();
  }

  /** The id of the last event that was sent. A new stream continues after it. */
  get lastEventId(): string {
    return this.#idOf(this.#next - 1);
  }

  /** Takes one message. Returns a promise above the high-water mark; throws `overloaded` past the limit. */
  push(json: string): void | Promise<void> {
    const { queuedBytes } = this.#backlog;
    if (queuedBytes > this.#limits.maxQueuedBytes) throw overloaded(queuedBytes, this.#limits.maxQueuedBytes);
    this.#newest += 1;
    this.#messages.set(this.#newest, json);
    this.#queue(json.length);
    this.#pumpWhenDue();
    if (this.#queuedBytes > highWaterMark) return this.#room.wait();
  }

  /** The number of an event that was sent here, if everything after it is still kept. */
  positionOf(eventId: string): number | undefined {
    const [epoch, digits = ""] = eventId.split("-");
    const position = /^\d{1,15}$/.test(digits) ? Number(digits) : -1;
    return epoch === this.#epoch && position >= this.#oldest - 1 && position < this.#next ? position : undefined;
  }

  /** Opens the event stream, and closes the one before it. With `position`, it continues after that event. */
  attach(position: number | undefined, onDetach: () => void): ReadableStream<Uint8Array> {
    this.#detach();
    if (position !== undefined) this.#goBack(position);
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          own = this.#stream = controller;
          controller.enqueue(encodeUtf8(": connected\n\n"));
          this.#pump();
        },
        pull: () => this.#pumpWhenDue(),
        cancel: () => {
          if (this.#stream !== own) return;
          this.#stream = undefined;
          onDetach();
        },
      },
      { highWaterMark, size: (chunk) => chunk.byteLength },
    );
  }

  /** Sends a comment, so that no proxy closes the stream as idle. */
  ping(): void {
    if (this.#hasRoom) this.#stream?.enqueue(encodeUtf8(": ping\n\n"));
  }

  /** Accepts no more messages. Resolves when a stream has sent what is queued; that stream then ends. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#room.open();
    this.#pump();
    if (this.#queuedBytes > 0) await this.#drained.wait();
  }

  /** Closes the stream immediately and drops every message. */
  drop(): void {
    this.#messages.clear();
    this.#queue(-this.#queuedBytes);
    this.#next = this.#newest + 1;
    this.#oldest = this.#next;
    void this.end();
  }

  get #hasRoom(): boolean {
    return (this.#stream?.desiredSize ?? 0) > 0;
  }

  #queue(bytes: number): void {
    this.#queuedBytes += bytes;
    this.#backlog.queuedBytes += bytes;
  }

  #idOf(position: number): string {
    return `${this.#epoch}-${position}`;
  }

  /** At once with a full block, otherwise at the end of the tick. */
  #pumpWhenDue(): void {
    if (this.#queuedBytes >= highWaterMark) this.#pump();
    else if (this.#queuedBytes > 0) atEndOfTick(this.#pump);
  }

  readonly #pump = (): void => {
    while (this.#hasRoom && this.#next <= this.#newest) this.#stream?.enqueue(this.#take());
    if (this.#queuedBytes <= highWaterMark) this.#room.open();
    if (!this.#ended || this.#next <= this.#newest) return;
    this.#detach();
    this.#drained.open();
  };

  /** The next events as one block, so that messages of one tick leave as one write. */
  #take(): Uint8Array {
    let text = "";
    for (; this.#next <= this.#newest && text.length < highWaterMark; this.#next += 1) {
      const json = this.#messages.get(this.#next) ?? "";
      text += `id: ${this.#idOf(this.#next)}\ndata: ${json}\n\n`;
      this.#queue(-json.length);
      this.#sentBytes += json.length;
    }
    while (this.#sentBytes > this.#limits.maxReplayBytes && this.#oldest < this.#next - 1) this.#forgetOldest();
    return encodeUtf8(text);
  }

  /** Drops the messages up to `position`, which arrived, and queues those that were sent after it again. */
  #goBack(position: number): void {
    while (this.#oldest <= position) this.#forgetOldest();
    for (let i = position + 1; i < this.#next; i += 1) this.#queue(this.#messages.get(i)?.length ?? 0);
    this.#next = position + 1;
    this.#sentBytes = 0;
  }

  #forgetOldest(): void {
    this.#sentBytes -= this.#messages.get(this.#oldest)?.length ?? 0;
    this.#messages.delete(this.#oldest);
    this.#oldest += 1;
  }

  #detach(): void {
    const stream = this.#stream;
    this.#stream = undefined;
    stream?.close();
  }
}
