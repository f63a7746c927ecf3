import { isUtf8 } from "node:buffer";
import type { Duplex } from "node:stream";
import { maskBytes, toggleMask } from "./text-frames.js";

/** What a socket library does with the bytes that come. */
type Library = (this: Duplex, chunk: Buffer) => void;

/** What a reader has to know of its connection. */
export interface TextReaderOptions {
  /** The other end is a client: it masks its frames. */
  readonly masked: boolean;
  /** Bytes of a message at most. */
  readonly maxBytes: number;
  readonly onText: (text: string) => void;
}

const wholeText = 0x81;
const ping = 0x89;
const pong = 0x8a;

/** The frame's header is not all there yet. */
const unknown = 0;
/** A frame that this reader leaves to the library, with all that follow. */
const foreign = -1;

/**
 * Reads what nearly all messages are: texts, each whole in one frame and in one piece of what came (RFC 6455, 5.2). The socket library
 * below makes several objects for a frame, which takes it as long as parsing a small message; it is handed the other bytes as they
 * came. A text that arrives in pieces, a ping and a pong are its own in their turn. A frame of any other kind, or one that breaks
 * the protocol, makes this reader give up: the library reads everything from there on.
 */
export class TextReader {
  readonly #raw: Duplex;
  readonly #library: Library;
  readonly #options: TextReaderOptions;
  /** The beginning of a frame of which the library has as much, up to where its length can be told. */
  #head: Buffer | undefined;
  /** Bytes of the library's frame that are still to come. */
  #awaited = 0;
  /** The library has not told of the text that it reads. */
  #untold = false;

  /** Takes the place of the library's listener. `undefined` where there is not just one: the library then reads everything. */
  static over(raw: Duplex, options: TextReaderOptions): TextReader | undefined {
    const [library, ...others] = raw.listeners("data");
    return library === undefined || others.length > 0 ? undefined : new TextReader(raw, library as Library, options);
  }

  private constructor(raw: Duplex, library: Library, options: TextReaderOptions) {
    this.#raw = raw;
    this.#library = library;
    this.#options = options;
    raw.off("data", library);
    raw.on("data", this.#read);
  }

  /** The library has told of a message. */
  told(): void {
    this.#untold = false;
  }

  readonly #read = (chunk: Buffer): void => {
    let at = this.#readRest(chunk);
    while (at < chunk.length) at = this.#readFrame(chunk, at);
  };

  /** Has the library read the rest of its frame, and gives the end of that. */
  #readRest(chunk: Buffer): number {
    const head = this.#head;
    if (head === undefined) return this.#awaited === 0 ? 0 : this.#pass(chunk, 0, this.#awaited);
    return this.#passFrame(Buffer.concat([head, chunk]), 0, head.length) - head.length;
  }

  /** Reads one frame and gives its end. */
  #readFrame(bytes: Buffer, at: number): number {
    const { masked, onText } = this.#options;
    const size = this.#sizeOf(bytes, at);
    const end = at + size;
    if (bytes[at] !== wholeText || size <= 0 || end > bytes.length) return this.#passFrame(bytes, at, at);
    const body = at + headerOf(bytes[at + 1] ?? 0);
    if (masked) toggleMask(bytes, body, end);
    const text = bytes.toString("utf8", body, end);
    if (text.includes("\uFFFD") && !isUtf8(bytes.subarray(body, end))) {
      if (masked) toggleMask(bytes, body, end);
      return this.#giveUp(bytes, at);
    }
    onText(text);
    return end;
  }

  /** How many bytes a frame has. */
  #sizeOf(bytes: Buffer, at: number): number {
    const { masked, maxBytes } = this.#options;
    if (at + 2 > bytes.length) return unknown;
    const first = bytes[at];
    const second = bytes[at + 1] ?? 0;
    const header = headerOf(second);
    const isText = first === wholeText;
    const isBeat = (first === ping || first === pong) && (second & 0x7f) < 126;
    if (!(isText || isBeat) || second >= 0x80 !== masked) return foreign;
    if (at + header > bytes.length) return unknown;
    const length = lengthOf(bytes, at);
    return length > maxBytes ? foreign : header + length;
  }

  /** Leaves a frame to the library, which has everything before `from`, and gives its end. */
  #passFrame(bytes: Buffer, at: number, from: number): number {
    const size = this.#sizeOf(bytes, at);
    if (size === foreign) return this.#giveUp(bytes, from);
    this.#head = size === unknown ? Buffer.from(bytes.subarray(at)) : undefined;
    this.#untold = bytes[at] === wholeText;
    return this.#pass(bytes, from, size === unknown ? bytes.length - from : at + size - from);
  }

  /** Hands the library so many bytes, as far as they are there, and gives their end. */
  #pass(bytes: Buffer, from: number, length: number): number {
    const end = Math.min(from + length, bytes.length);
    this.#awaited = from + length - end;
    this.#library.call(this.#raw, bytes.subarray(from, end));
    const isOver = this.#awaited === 0 && this.#head === undefined;
    return isOver && this.#untold ? this.#giveUp(bytes, end) : end; // the library refused the text, and will say so
  }

  /** Puts the library back in its place, and gives the end of what there is. */
  #giveUp(bytes: Buffer, from: number): number {
    this.#raw.off("data", this.#read).on("data", this.#library);
    if (from < bytes.length) this.#library.call(this.#raw, bytes.subarray(from));
    return bytes.length;
  }
}

/** Bytes of a frame's header, by its second byte. */
function headerOf(second: number): number {
  const short = second & 0x7f;
  return (short < 126 ? 2 : short === 126 ? 4 : 10) + (second >= 0x80 ? maskBytes : 0);
}

/** Bytes of a frame's body; the header must be there. */
function lengthOf(bytes: Buffer, at: number): number {
  const short = (bytes[at + 1] ?? 0) & 0x7f;
  if (short < 126) return short;
  return short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
}
