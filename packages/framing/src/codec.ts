import type { WireError } from "@editwire/core/errors";

/** How much one stream may ask for. */
export interface FramingLimits {
  /**
   * Bytes of one message's body. Default 64 MiB. A longer line is skipped and reported as `too_large`. A longer
   * Content-Length ends the stream with `too_large`, because its body may never come.
   */
  maxMessageBytes?: number | undefined;
  /**
   * Bytes of one header without its line breaks, Content-Length framing only. Default 8 KiB; a longer one is a
   * `framing` error.
   */
  maxHeaderBytes?: number | undefined;
}

/** A way to tell one message from the next. */
export type Framing = "ndjson" | "content-length";

/** One message, parsed, with the bytes of its JSON text, or why the bytes in its place are not a message. */
export type Frame = { readonly ok: true; readonly value: unknown; readonly length: number } | BadFrame;

/** Bytes that are not a message. Unless it is fatal, the next frame still decodes. */
export interface BadFrame {
  readonly ok: false;
  /**
   * `framing` or `too_large`. `data.excerpt` is the first 200 characters, for a log. `data.found`, if any, says what a
   * text that is not JSON holds nevertheless:
   * - `glued`: whole messages, with noise in front of them or without a line break between them. They are the next
   *   frames; nothing but noise is lost.
   * - `quoted`: `value` is a whole message behind text that may quote it, as a line of a log does.
   * - `outline`: `value` has the members of a message that is broken, unfinished or too long, as far as they can be
   *   read. Lists are null there, and objects in its objects.
   */
  readonly error: WireError;
  /** The stream cannot be read any further. */
  readonly fatal: boolean;
  /**
   * The readable part of a lost message. Without `data.found`, it is the whole message, whose only fault is bytes that
   * are not UTF-8: they are U+FFFD here.
   */
  readonly value?: unknown;
}

/** How much of a message has come that is not here whole. */
export interface Unfinished {
  /** Bytes that have come: of the body where there is a header, otherwise of the line or the header. */
  readonly receivedBytes: number;
  /** Bytes of the whole body; `undefined` until a header says how many. */
  readonly expectedBytes: number | undefined;
}

/** Both directions of one stream. */
export interface Framer {
  /** Frames one message, given as JSON text without line breaks. */
  encode(json: string): string;
  /** Takes a chunk of any size. The framer keeps what it needs of it; the caller must not write to it afterwards. */
  push(chunk: Uint8Array): void;
  /** The next frame of what was pushed, or `undefined` when more bytes are needed. Call until it is. */
  next(): Frame | undefined;
  /**
   * Says that no more bytes come. Call `next()` until it is done: an unfinished last line still is a message, an
   * unfinished frame a bad one.
   */
  end(): void;
  /** Bytes held that are not a whole frame yet. */
  readonly pending: number;
  /**
   * The message that has begun, after `next()` returned `undefined`; `undefined` when none has. A line begins a message
   * only with `{`: noise may end without a line break.
   */
  readonly unfinished: Unfinished | undefined;
}

/** A framing, such as ndjson. Each stream opens a framer of its own. */
export interface Codec {
  readonly name: string;
  open(limits?: FramingLimits): Framer;
}
