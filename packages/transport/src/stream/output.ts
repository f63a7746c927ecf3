import { Gate } from "@editwire/core/gate";
import type { Framer } from "@editwire/framing";
import type { ByteStream } from "./byte-stream.js";
import { atEndOfTick } from "../shared/end-of-tick.js";
import { overloaded } from "../shared/reasons.js";
import { encodeAll, isWide, utf8Length } from "../shared/utf8.js";

/** Characters of framed text that become one block without waiting for the end of the tick. */
const blockSize = 64 * 1024;
/** Up to this many characters, Node writes a text faster than bytes that were made of it. */
const maxWrittenText = 128 * 1024;

/** The sending half of a byte stream: one write per tick, and a bounded queue while the stream is full. */
export class Output {
  readonly #stream: ByteStream;
  readonly #framer: Framer;
  readonly #maxQueuedBytes: number;
  readonly #room = new Gate();
  /** Framed messages that are not bytes yet, and their characters. */
  #texts: string[] = [];
  #chars = 0;
  /** Waiting for the stream; bytes, because strings in a queue cost twice the memory. */
  #blocks: Uint8Array[] = [];
  #blockBytes = 0;
  /** Bytes of the block that filled the stream. */
  #stuckBytes = 0;
  #full = false;

  constructor(stream: ByteStream, framer: Framer, maxQueuedBytes: number) {
    this.#stream = stream;
    this.#framer = framer;
    this.#maxQueuedBytes = maxQueuedBytes;
  }

  /** Bytes that were taken, and are not written. */
  get queuedBytes(): number {
    return this.#chars + this.#blockBytes + this.#stuckBytes;
  }

  /** Takes one message. Returns a promise while the stream is full; throws `overloaded` when the queue is. */
  send(json: string): void | Promise<void> {
    const queued = this.queuedBytes;
    if (queued > this.#maxQueuedBytes) throw overloaded(queued, this.#maxQueuedBytes);
    const text = this.#framer.encode(json);
    this.#texts.push(text);
    this.#chars += text.length;
    if (this.#chars >= blockSize) {
      if (this.#full) this.#enqueue(encodeAll(this.#take()));
      else this.#flush();
    } else if (!this.#full) {
      atEndOfTick(this.#flush);
    }
    if (this.#full) return this.#room.wait();
  }

  /** The stream has room again. */
  drain(): void {
    this.#full = false;
    this.#stuckBytes = 0;
    while (!this.#full) {
      const block = this.#blocks.shift();
      if (block === undefined) break;
      this.#blockBytes -= block.byteLength;
      this.#write(block);
    }
    this.#flush();
    if (!this.#full) this.#room.open();
  }

  /** Hands everything to the stream and ends it. */
  end(): void {
    if (this.#chars > 0) this.#enqueue(encodeAll(this.#take()));
    for (const block of this.#blocks.splice(0)) this.#stream.write(block);
    this.#stream.end();
  }

  /** Drops what was not written, and releases everyone who waits. */
  drop(): void {
    this.#take();
    this.#blocks = [];
    this.#room.open();
  }

  readonly #flush = (): void => {
    if (this.#full || this.#chars === 0) return;
    const isLong = this.#chars > maxWrittenText;
    const texts = this.#take();
    // Joined, texts take two bytes for each character when one of them has a character beyond Latin-1.
    const isText = !isLong && (texts.length === 1 || !texts.some(isWide));
    this.#write(isText ? texts.join("") : encodeAll(texts));
  };

  #take(): readonly string[] {
    const texts = this.#texts;
    this.#texts = [];
    this.#chars = 0;
    return texts;
  }

  #write(data: Uint8Array | string): void {
    if (this.#stream.write(data)) return;
    this.#full = true;
    this.#stuckBytes = typeof data === "string" ? utf8Length(data) : data.length;
  }

  #enqueue(block: Uint8Array): void {
    this.#blocks.push(block);
    this.#blockBytes += block.byteLength;
  }
}
