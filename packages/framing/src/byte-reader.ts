import { isUtf8, release } from "./bytes.js";
import { ChunkSource, EMPTY } from "./chunk-source.js";

const TAB = 9;
const CR = 13;
const SPACE = 32;
/** A buffer for unfinished pieces that is larger than this is dropped when the stream is idle. */
const KEPT_BYTES = 65_536;
/** Up to this many bytes, a loop copies faster than the native call. */
const SMALL_BYTES = 32;
/** Enough for the characters of a bad frame that go into its error. */
const EXCERPT_BYTES = 800;

/**
 * Cuts a stream into lines and into pieces of known size. Until the next call it describes what it cut last: the
 * piece.
 */
export class ByteReader {
  readonly source = new ChunkSource();
  private bytes: Uint8Array = EMPTY;
  private start = 0;
  private end = 0;
  private held: Uint8Array = EMPTY;
  private heldBytes = 0;
  /** Bytes of the last piece that was held. The next one is often as large, and is then copied once. */
  private lastHeldBytes = 0;
  private started = false;
  private ended = false;

  /** Says that no more bytes come. */
  finish(): void {
    this.ended = true;
  }

  /** True when all bytes were read and no more will come. */
  get done(): boolean {
    return this.ended && !this.source.more();
  }

  get pending(): number {
    return this.source.pending + this.heldBytes;
  }

  /**
   * Cuts a line, without its line break. One of more than `max` bytes is `long`: its rest is skipped, the piece is
   * its beginning.
   */
  line(max: number): "line" | "long" | undefined {
    const { source } = this;
    while (source.more()) {
      const lineFeed = source.lineFeed();
      const end = lineFeed < 0 ? source.size : lineFeed;
      if (this.exceeds(max, end)) {
        this.hold(Math.min(end, source.at + EXCERPT_BYTES));
        this.cutHeld();
        source.skipLine();
        return "long";
      }
      if (lineFeed < 0) {
        this.hold(end);
        continue;
      }
      this.cutTo(end);
      source.at++;
      this.trimLine();
      return "line";
    }
    if (!this.ended || this.heldBytes === 0) return this.nothing();
    this.cutHeld();
    this.trimLine();
    return "line";
  }

  /** Cuts the next `size` bytes, once all are there. */
  body(size: number): boolean {
    const { source } = this;
    this.started = true;
    while (source.more()) {
      const missing = size - this.heldBytes;
      if (source.size - source.at >= missing) {
        this.cutTo(source.at + missing);
        return true;
      }
      if (this.heldBytes === 0) this.reserve(size);
      this.hold(source.size);
    }
    this.nothing();
    return false;
  }

  /** The beginning of an unfinished piece, without blanks before it. */
  heldStart(size: number): string {
    if (this.heldBytes === 0) return "";
    return this.source.ops.utf8(this.held, 0, Math.min(size, this.heldBytes)).trimStart();
  }

  /** Cuts what there is of an unfinished piece. */
  rest(): void {
    this.cutHeld();
  }

  /** Drops everything. */
  clear(): void {
    this.source.clear();
    this.held = EMPTY;
    this.heldBytes = 0;
    this.nothing();
  }

  /** Whether reading stands at the beginning of a piece whose first byte is there. */
  atStart(): boolean {
    return this.heldBytes === 0 && this.source.more();
  }

  /** Bytes of the piece. */
  get size(): number {
    return this.end - this.start;
  }

  /** The piece's first byte that is not a blank, or `undefined` when all are. */
  firstByte(): number | undefined {
    for (let i = this.start; i < this.end; i++) {
      const byte = this.bytes[i] as number;
      if (byte !== SPACE && byte !== TAB && byte !== CR) return byte;
    }
    return undefined;
  }

  /** The piece as text. */
  text(): string {
    const { source, bytes, start, end } = this;
    return bytes === source.chunk ? source.text(start, end) : source.ops.utf8(bytes, start, end);
  }

  /** Whether the piece, whose text this is, is UTF-8. Looks at the bytes only when the text leaves a doubt. */
  isUtf8(text: string): boolean {
    if (this.bytes === this.source.chunk && this.source.isAscii(this.end)) return true;
    return !text.includes("\uFFFD") || isUtf8(this.bytes.subarray(this.start, this.end));
  }

  /** Gives the memory of a large piece back, which is empty from then on. */
  release(): void {
    if (this.bytes !== this.held || !release(this.held)) return;
    this.held = EMPTY;
    this.cut(EMPTY, 0, 0);
  }

  /** The piece's beginning, for a log. */
  excerpt(): string {
    const { bytes, start, end } = this;
    return this.source.ops.utf8(bytes, start, Math.min(end, start + EXCERPT_BYTES));
  }

  /** The piece's last bytes as text. */
  tail(size: number): string {
    const { bytes, start, end } = this;
    return this.source.ops.utf8(bytes, Math.max(start, end - size), end);
  }

  private cut(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }

  /** Cuts what is held and the chunk up to `end`. */
  private cutTo(end: number): void {
    const { source } = this;
    if (this.heldBytes > 0) {
      this.hold(end);
      this.cutHeld();
    } else {
      this.cut(source.chunk, source.at, end);
      source.at = end;
    }
  }

  private cutHeld(): void {
    this.cut(this.held, 0, this.heldBytes);
    this.lastHeldBytes = this.heldBytes;
    this.heldBytes = 0;
  }

  /** Forgets the piece, so that an idle stream keeps no memory alive. */
  private nothing(): undefined {
    this.cut(EMPTY, 0, 0);
    if (this.heldBytes === 0 && this.held.length > KEPT_BYTES) this.held = EMPTY;
  }

  /** Copies the chunk up to `end` behind what is held. */
  private hold(end: number): void {
    const { source } = this;
    const needed = this.heldBytes + end - source.at;
    // Doubling copies no byte more than a few times, however small the chunks are.
    if (needed > this.held.length) this.reserve(this.roomFor(needed));
    const { held, heldBytes } = this;
    const { chunk, at } = source;
    if (end - at <= SMALL_BYTES) {
      for (let i = at; i < end; i++) held[heldBytes + i - at] = chunk[i] as number;
    } else {
      held.set(chunk.subarray(at, end), heldBytes);
    }
    this.heldBytes = needed;
    source.at = end;
  }

  private roomFor(needed: number): number {
    return needed > KEPT_BYTES && needed < this.lastHeldBytes
      ? this.lastHeldBytes
      : Math.max(needed, 2 * this.held.length, 1024);
  }

  private reserve(size: number): void {
    if (size <= this.held.length) return;
    const larger = this.source.ops.alloc(size);
    larger.set(this.held.subarray(0, this.heldBytes));
    release(this.held);
    this.held = larger;
  }

  private exceeds(max: number, end: number): boolean {
    const { source } = this;
    const size = this.heldBytes + end - source.at;
    if (size <= max) return false;
    // A carriage return may belong to the line break.
    const last = end > source.at ? source.chunk[end - 1] : this.held[this.heldBytes - 1];
    return size > max + 1 || last !== CR;
  }

  private trimLine(): void {
    const { bytes, start } = this;
    if (this.end > start && bytes[this.end - 1] === CR) this.end--;
    if (this.started) return;
    this.started = true;
    const hasByteOrderMark = bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
    if (hasByteOrderMark && this.size >= 3) this.start += 3;
  }
}
