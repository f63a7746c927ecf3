/** Operations on bytes that decoding needs: Node's native calls where they exist, the web platform's elsewhere. */
export interface ByteOps {
  /** The same memory, in the form that the other calls want. */
  view(bytes: Uint8Array): Uint8Array;
  /** From 2 MiB on, `release` gives the memory back. */
  alloc(size: number): Uint8Array;
  /** Position of the next line feed, or -1. */
  lineFeed(bytes: Uint8Array, from: number): number;
  /** The bytes as text; what is not UTF-8 becomes U+FFFD. */
  utf8(bytes: Uint8Array, start: number, end: number): string;
  /**
   * The bytes as text when all are ASCII; `undefined` when one is not, or when finding out costs more than it saves.
   */
  ascii(bytes: Uint8Array, start: number, end: number): string | undefined;
  /** How many bytes a text has in UTF-8. */
  size(text: string): number;
}

const LF = 10;
/** Below it, V8 collects soon enough, and a buffer that can shrink costs more time than it saves memory. */
const LARGE_BYTES = 2 * 1024 * 1024;

/** A buffer that can shrink, which lib.es2023 does not know yet. Older runtimes ignore the options. */
const Shrinkable = ArrayBuffer as unknown as new (size: number, options: { maxByteLength: number }) => ArrayBuffer;

let chosen: { readonly Buffer: unknown; readonly ops: ByteOps } | undefined;

/**
 * Chooses again when `Buffer` has changed, so that one which a bundle defines late still counts. All streams share
 * the result, because it is big.
 */
export function byteOps(): ByteOps {
  const { Buffer } = globalThis as { Buffer?: typeof globalThis.Buffer };
  if (chosen === undefined || chosen.Buffer !== Buffer)
    chosen = { Buffer, ops: Buffer === undefined ? webOps() : nodeOps(Buffer) };
  return chosen.ops;
}

function nodeOps(Buffer: typeof globalThis.Buffer): ByteOps {
  return {
    view: (bytes) => (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)),
    alloc: (size) =>
      size < LARGE_BYTES ? Buffer.allocUnsafe(size) : Buffer.from(new Shrinkable(size, { maxByteLength: size })),
    lineFeed: (bytes, from) => bytes.indexOf(LF, from),
    utf8: (bytes, start, end) => (bytes as Buffer).toString("utf8", start, end),
    ascii(bytes, start, end) {
      // Any other byte is one character here and two bytes of UTF-8. Both calls are native: no loop over bytes in
      // JavaScript.
      const text = (bytes as Buffer).toString("latin1", start, end);
      return Buffer.byteLength(text) === end - start ? text : undefined;
    },
    size: (text) => Buffer.byteLength(text),
  };
}

function webOps(): ByteOps {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const encoder = new TextEncoder();
  return {
    view: (bytes) => bytes,
    alloc: (size) => new Uint8Array(size),
    lineFeed: (bytes, from) => bytes.indexOf(LF, from),
    utf8: (bytes, start, end) => decoder.decode(bytes.subarray(start, end)),
    ascii: () => undefined,
    size: (text) => encoder.encode(text).length,
  };
}

/**
 * Gives the memory of a large buffer from `alloc` back at once: V8 collects large buffers so late that some of them
 * would wait. Returns false for any other buffer, which is left as it is.
 */
export function release({ buffer }: Uint8Array): boolean {
  const { resizable = false, resize } = buffer as { resizable?: boolean; resize?(size: number): void };
  if (resizable) resize?.call(buffer, 0);
  return resizable;
}

/** Says whether bytes are valid UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    // A copy, because browsers' decoders refuse a buffer that can shrink.
    new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array(bytes));
    return true;
  } catch {
    return false;
  }
}
