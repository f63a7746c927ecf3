import { type ByteOps, byteOps } from "./bytes.js";

/** Bytes that become text in one call, and how many messages that text must serve at least to pay. */
const WINDOW_BYTES = 65_536;
const WINDOW_MESSAGES = 4;

export const EMPTY = new Uint8Array(0);

/**
 * The chunks of a stream in order, without the bytes that are to be skipped. The next byte is `chunk[at]`, once
 * `more()` says so.
 */
export class ChunkSource {
  readonly ops: ByteOps = byteOps();
  chunk: Uint8Array = EMPTY;
  at = 0;
  /** Bytes of the chunk. */
  size = 0;

  private queue: Uint8Array[] = [];
  private head = 0;
  private queuedBytes = 0;
  private bytesToSkip = 0;
  private lineToSkip = false;
  private window: string | undefined;
  private windowStart = 0;
  private windowEnd = 0;

  push(chunk: Uint8Array): void {
    if (this.at === this.size && this.queue.length === 0) return this.open(chunk);
    this.queue.push(chunk);
    this.queuedBytes += chunk.length;
  }

  /** Bytes that were pushed and not read. */
  get pending(): number {
    return this.queuedBytes + this.size - this.at;
  }

  /** Makes sure that a byte is there to read. */
  more(): boolean {
    for (;;) {
      if (this.at === this.size) {
        if (!this.nextChunk()) return false;
      } else if (this.bytesToSkip > 0) {
        const skipped = Math.min(this.bytesToSkip, this.size - this.at);
        this.at += skipped;
        this.bytesToSkip -= skipped;
      } else if (this.lineToSkip) {
        const lineFeed = this.ops.lineFeed(this.chunk, this.at);
        this.at = lineFeed < 0 ? this.size : lineFeed + 1;
        this.lineToSkip = lineFeed < 0;
      } else {
        return true;
      }
    }
  }

  /** Drops the next `size` bytes as they come. */
  skip(size: number): void {
    this.bytesToSkip = size;
  }

  /** Drops bytes up to and with the next line feed, as they come. */
  skipLine(): void {
    this.lineToSkip = true;
  }

  /** Drops everything that was pushed. */
  clear(): void {
    this.queue.length = this.head = this.queuedBytes = 0;
    this.at = this.size;
    this.nextChunk();
  }

  /** Position of the next line feed in the chunk, or -1. */
  lineFeed(): number {
    if (this.window !== undefined && this.at < this.windowEnd) {
      // Searching a text is an inlined call, searching a buffer is not.
      const found = this.window.indexOf("\n", this.at - this.windowStart);
      if (found >= 0) return found + this.windowStart;
    }
    return this.ops.lineFeed(this.chunk, this.at);
  }

  /** Whether a piece of the chunk is known to be ASCII. */
  isAscii(end: number): boolean {
    return this.window !== undefined && end <= this.windowEnd;
  }

  /** A piece of the chunk as text. Where the chunk holds many ASCII messages, they are cut from one text. */
  text(start: number, end: number): string {
    if (start >= this.windowEnd) this.openWindow(start, end - start);
    if (this.window === undefined || end > this.windowEnd) return this.ops.utf8(this.chunk, start, end);
    return this.window.substring(start - this.windowStart, end - this.windowStart);
  }

  private nextChunk(): boolean {
    if (this.head === this.queue.length) {
      if (this.head > 0) this.queue.length = this.head = 0;
      this.open(EMPTY);
      return false;
    }
    const next = this.queue[this.head] as Uint8Array;
    this.queue[this.head++] = EMPTY;
    this.queuedBytes -= next.length;
    this.open(next);
    return true;
  }

  private open(chunk: Uint8Array): void {
    this.window = undefined;
    this.windowEnd = this.at = 0;
    this.chunk = chunk === EMPTY ? EMPTY : this.ops.view(chunk);
    this.size = chunk.length;
  }

  private openWindow(start: number, messageSize: number): void {
    const end = Math.min(this.size, start + WINDOW_BYTES);
    if (end - start < WINDOW_MESSAGES * messageSize) return;
    this.windowStart = start;
    this.windowEnd = end;
    this.window = this.ops.ascii(this.chunk, start, end);
  }
}
