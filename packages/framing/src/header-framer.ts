import { ByteReader } from "./byte-reader.js";
import type { BadFrame, Frame, Framer, Framing, FramingLimits, Unfinished } from "./codec.js";
import {
  badFrame,
  beginsHeader,
  beginsMessage,
  parseMessage,
  takeWaiting,
  tooLarge,
  type Waiting,
  withDefaults,
} from "./frame.js";
import { HeaderBlock, LENGTH_TAIL_BYTES, lengthAtEnd, takeUsualHeader } from "./header.js";

const OPEN_BRACE = 123;

/** Options for reading a stream of headers and bodies. */
export interface Strictness {
  /**
   * How to treat lines that are neither header nor body: `refused` ends the stream, `skipped` ignores them, `messages`
   * reads each line as a message.
   */
  readonly otherLines: "refused" | "skipped" | "messages";
  /** Called with how a message was framed, before that message is returned. */
  readonly onFraming?: (framing: Framing) => void;
}

/** Reads messages behind headers and, where lines may be messages, those too. */
export class HeaderFramer implements Framer, Waiting {
  waiting: Frame[] | undefined;
  readonly encode: (json: string) => string;
  private readonly strictness: Strictness;
  private readonly reader = new ByteReader();
  private readonly header = new HeaderBlock();
  private readonly maxMessageBytes: number;
  private readonly maxHeaderBytes: number;
  /** Size of the body that is being read. */
  private body: number | undefined;
  private skipping = false;
  private dead = false;

  constructor(encode: (json: string) => string, strictness: Strictness, limits: FramingLimits | undefined) {
    this.encode = encode;
    this.strictness = strictness;
    ({ maxMessageBytes: this.maxMessageBytes, maxHeaderBytes: this.maxHeaderBytes } = withDefaults(limits));
  }

  push(chunk: Uint8Array): void {
    if (!this.dead) this.reader.source.push(chunk);
  }

  end(): void {
    this.reader.finish();
  }

  get pending(): number {
    return this.reader.pending + this.header.size;
  }

  get unfinished(): Unfinished | undefined {
    const { body: expectedBytes, header, reader, pending: receivedBytes } = this;
    const { otherLines } = this.strictness;
    const hasBegun =
      expectedBytes !== undefined ||
      !header.empty ||
      (receivedBytes > 0 && otherLines === "refused") ||
      (otherLines === "messages" && beginsMessage(reader)) ||
      beginsHeader(reader);
    return hasBegun ? { receivedBytes, expectedBytes } : undefined;
  }

  next(): Frame | undefined {
    if (this.waiting !== undefined) return takeWaiting(this);
    while (!this.dead) {
      const frame = this.body === undefined ? this.readHeader() : this.readBody(this.body);
      if (frame === "more") return this.cutOff();
      if (frame !== undefined) return frame;
    }
    return undefined;
  }

  private readBody(size: number): Frame | "more" {
    if (!this.reader.body(size)) return "more";
    this.body = undefined;
    return parseMessage(this.reader, this);
  }

  /** Reads one line, or a whole header of the usual form. */
  private readHeader(): Frame | undefined | "more" {
    const { reader, header } = this;
    const length = header.empty && reader.atStart() ? takeUsualHeader(reader.source) : -1;
    if (length >= 0) return this.beginBody(length);
    const cut = reader.line(this.maxLineBytes());
    if (cut === undefined) return "more";
    return cut === "long" ? this.takeLongLine() : this.takeLine();
  }

  /** Other lines may be longer than a header; what a line turns out to be is measured when it is whole. */
  private maxLineBytes(): number {
    if (this.strictness.otherLines === "refused") return Math.max(0, this.maxHeaderBytes - this.header.size);
    return Math.max(this.maxHeaderBytes, this.maxMessageBytes);
  }

  private takeLine(): Frame | undefined {
    const { reader, header } = this;
    const lineIsMessage = this.strictness.otherLines === "messages";
    const first = reader.firstByte();
    if (first === undefined) return header.empty ? undefined : this.endHeader();
    if (!lineIsMessage || first !== OPEN_BRACE) {
      const fits = !this.skipping && header.size + reader.size <= this.maxHeaderBytes;
      if (fits && header.add(reader.text(), reader.size)) return undefined;
    }
    const frame = lineIsMessage ? this.takeMessage() : this.takeNoise("line");
    if (!frame?.ok) this.resume();
    return frame;
  }

  private takeMessage(): Frame {
    const { reader, maxMessageBytes } = this;
    const isTooLarge = reader.size > maxMessageBytes;
    const frame = isTooLarge ? tooLarge(reader.excerpt(), maxMessageBytes) : parseMessage(reader, this);
    if (frame.ok || this.waiting !== undefined) this.strictness.onFraming?.("ndjson");
    return this.afterHeader(frame);
  }

  private takeLongLine(): Frame | undefined {
    if (this.strictness.otherLines !== "messages") return this.takeNoise("long");
    return this.afterHeader(tooLarge(this.reader.excerpt(), this.maxMessageBytes));
  }

  private takeNoise(cut: "line" | "long"): BadFrame | undefined {
    if (this.skipping) return undefined;
    const { header, reader } = this;
    const excerpt = [...(header.empty ? [] : [header.text]), reader.excerpt()].join("\n");
    const exceeds = cut === "long" || header.size + reader.size > this.maxHeaderBytes;
    return this.fail(
      exceeds ? `the header exceeds ${this.maxHeaderBytes} bytes` : "expected a header with Content-Length",
      excerpt,
    );
  }

  /** Lines that looked like a header are reported before the message that shows that they are not one. */
  private afterHeader(frame: Frame): Frame {
    if (this.header.empty) return frame;
    this.waiting = [frame, ...(this.waiting ?? [])];
    return this.fail("expected an empty line after the header", this.header.text);
  }

  private endHeader(): BadFrame | undefined {
    const { length, problem, text } = this.header;
    if (problem === undefined && length !== undefined) return this.beginBody(length);
    return this.fail(problem ?? "expected a header with Content-Length", text);
  }

  private beginBody(length: number): BadFrame | undefined {
    const { header, reader } = this;
    const { charset } = header;
    if (length > this.maxMessageBytes) return this.refuse(length);
    const fits = length > 0 && charset === undefined;
    const excerpt = fits ? "" : header.text || `Content-Length: ${length}`;
    header.clear();
    this.skipping = false;
    this.strictness.onFraming?.("content-length");
    if (fits) {
      this.body = length;
      return undefined;
    }
    reader.source.skip(length);
    if (charset !== undefined)
      return badFrame("framing", `Content-Type: expected charset utf-8, received ${charset}`, excerpt, { charset });
    return badFrame("framing", "Content-Length is 0: expected a message", excerpt);
  }

  /** Ends the stream: a body that is too long cannot be skipped, because it may never come. */
  private refuse(length: number): BadFrame {
    const excerpt = this.header.text || `Content-Length: ${length}`;
    const message = `Content-Length is ${length}: expected at most ${this.maxMessageBytes} bytes`;
    this.stop();
    return badFrame("too_large", message, excerpt, { fatal: true });
  }

  private stop(): void {
    this.dead = true;
    this.header.clear();
    this.reader.clear();
  }

  private fail(message: string, excerpt: string): BadFrame {
    const fatal = this.strictness.otherLines === "refused";
    this.header.clear();
    this.skipping = this.strictness.otherLines === "skipped";
    if (fatal) this.stop();
    return badFrame("framing", message, excerpt, { fatal });
  }

  /**
   * Noise without a line break may stand right before a header, and so may the end of a body that is longer than it
   * said.
   */
  private resume(): void {
    const field = this.dead ? undefined : lengthAtEnd(this.reader.tail(LENGTH_TAIL_BYTES));
    if (field !== undefined) this.skipping = !this.header.add(field, field.length);
  }

  /** After the end, an unfinished message is a bad one. */
  private cutOff(): BadFrame | undefined {
    const { body, header, reader } = this;
    if (!reader.done || (body === undefined && header.empty)) return undefined;
    reader.rest();
    const message =
      body === undefined
        ? "the stream ended inside a header"
        : `the stream ended after ${reader.size} of a message's ${body} bytes`;
    const frame = badFrame("framing", message, header.empty ? reader.excerpt() : header.text);
    header.clear();
    this.body = undefined;
    return frame;
  }
}
