import { Gate } from "./gate.js";
import { overloaded } from "./reasons.js";
import { encodeUtf8 } from "./utf8.js";

/** One message on its way to a client. */
interface Letter {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** How much one client's mailbox keeps, in bytes. */
export interface MailboxLimits {
  readonly maxQueuedBytes: number;
  readonly maxReplayBytes: number;
}

/** Bytes queued above which a sender is asked to wait. */
const highWaterMark = 64 * 1024;

/** The outgoing half of one client: what waits for an event stream, and what a lost stream may have to send again. */
export class Mailbox {
  readonly #limits: MailboxLimits;
  readonly #room = new Gate();
  #queue: Letter[] = [];
  #queuedBytes = 0;
  #sent: Letter[] = [];
  #sentBytes = 0;
  #lastId = 0;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  #ended = false;

  constructor(limits: MailboxLimits) {
    this.#limits = limits;
  }

  /** True while an event stream is open. */
  get attached(): boolean {
    return this.#stream !== undefined;
  }

  /** Takes one message. Returns a promise above the high-water mark; throws `overloaded` past the limit. */
  push(json: string): void | Promise<void> {
    if (this.#queuedBytes > this.#limits.maxQueuedBytes) throw overloaded(this.#queuedBytes, this.#limits.maxQueuedBytes);
    const id = (this.#lastId += 1);
    const bytes = encodeUtf8(`id: ${id}\ndata: ${json}\n\n`);
    this.#queue.push({ id, bytes });
    this.#queuedBytes += bytes.byteLength;
    this.#pump();
    if (this.#queuedBytes > highWaterMark) return this.#room.wait();
  }

  /** True when everything after the event `lastId` can still be sent. */
  reaches(lastId: number): boolean {
    const oldest = this.#sent[0]?.id ?? this.#queue[0]?.id ?? this.#lastId + 1;
    return lastId >= oldest - 1 && lastId <= this.#lastId;
  }

  /** Opens the event stream, the newest of which wins. With `lastId`, what was sent after that event is sent again. */
  attach(lastId: number | undefined, onDetach: () => void): ReadableStream<Uint8Array> {
    this.#detach();
    if (lastId !== undefined) this.#rewind(lastId);
    let own: ReadableStreamDefaultController<Uint8Array> | undefined;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          own = this.#stream = controller;
          controller.enqueue(encodeUtf8(": connected\n\n"));
          this.#pump();
        },
        pull: () => this.#pump(),
        cancel: () => {
          if (this.#stream !== own) return;
          this.#stream = undefined;
          onDetach();
        },
      },
      { highWaterMark, size: (chunk) => chunk.byteLength },
    );
  }

  /** Sends a comment, so that nothing between the ends takes the stream for dead. */
  ping(): void {
    if ((this.#stream?.desiredSize ?? 0) > 0) this.#stream?.enqueue(encodeUtf8(": ping\n\n"));
  }

  /** Closes the stream behind what is queued. */
  end(): void {
    this.#ended = true;
    this.#room.open();
    this.#pump();
  }

  /** Closes the stream at once and forgets everything. */
  drop(): void {
    this.#queue = [];
    this.#sent = [];
    this.end();
  }

  #pump(): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    while ((stream.desiredSize ?? 0) > 0) {
      const letter = this.#queue.shift();
      if (letter === undefined) break;
      this.#queuedBytes -= letter.bytes.byteLength;
      stream.enqueue(letter.bytes);
      this.#keep(letter);
    }
    if (this.#queuedBytes <= highWaterMark) this.#room.open();
    if (this.#ended && this.#queue.length === 0) this.#detach();
  }

  #keep(letter: Letter): void {
    this.#sent.push(letter);
    this.#sentBytes += letter.bytes.byteLength;
    while (this.#sentBytes > this.#limits.maxReplayBytes) this.#sentBytes -= this.#sent.shift()?.bytes.byteLength ?? 0;
  }

  /** Puts what was sent after `lastId` back in front of the queue; what came before has arrived. */
  #rewind(lastId: number): void {
    const again = this.#sent.filter(({ id }) => id > lastId);
    this.#sent = [];
    this.#sentBytes = 0;
    this.#queue = [...again, ...this.#queue];
    for (const { bytes } of again) this.#queuedBytes += bytes.byteLength;
  }

  #detach(): void {
    const stream = this.#stream;
    this.#stream = undefined;
    stream?.close();
  }
}
