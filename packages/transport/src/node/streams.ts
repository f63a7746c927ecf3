import type { Readable, Writable } from "node:stream";
import type { Codec } from "@editwire/framing";
import type { ByteStream, ByteStreamEvents } from "../stream/byte-stream.js";
import { type ByteStreamOptions, byteStreamTransport } from "../stream/transport.js";
import type { Transport } from "../transport.js";

/**
 * Moves messages over a pair of Node streams of bytes, or over one duplex given twice. The transport owns them: an end
 * or an error of either ends both.
 */
export function nodeStreamTransport(
  readable: Readable,
  writable: Writable,
  codec: Codec,
  options?: ByteStreamOptions,
): Transport {
  return byteStreamTransport(nodeByteStream(readable, writable), codec, options);
}

/**
 * Makes a `ByteStream` of a pair of Node streams, or of one duplex given twice. `onClosed` is called when both are
 * destroyed.
 */
export function nodeByteStream(readable: Readable, writable: Writable, onClosed?: () => void): ByteStream {
  return new NodeByteStream(readable, writable, onClosed);
}

class NodeByteStream implements ByteStream {
  readonly #readable: Readable;
  readonly #writable: Writable;
  readonly #onClosed: (() => void) | undefined;
  #events: ByteStreamEvents | undefined;
  #over = false;

  constructor(readable: Readable, writable: Writable, onClosed: (() => void) | undefined) {
    this.#readable = readable;
    this.#writable = writable;
    this.#onClosed = onClosed;
  }

  open(events: ByteStreamEvents): void {
    const readable = this.#readable;
    const writable = this.#writable;
    this.#events = events;
    // The error listeners stay: an error after the close must not end the process.
    const fail = (error: Error): void => this.#release(error);
    const release = (): void => this.#release();
    readable.pause().on("data", (chunk: Buffer) => events.data(chunk));
    readable.on("end", () => events.end()).on("error", fail);
    writable.on("drain", () => events.drain()).on("close", release);
    // A duplex closes by itself when both halves have ended. In a pair, the other half may never end.
    if ((readable as unknown) === writable) return;
    readable.on("close", () => readable.readableEnded || release());
    writable.on("error", fail).on("finish", release);
  }

  write(data: Uint8Array | string): boolean {
    return this.#writable.write(data);
  }

  pause(): void {
    this.#readable.pause();
  }

  resume(): void {
    this.#readable.resume();
  }

  end(): void {
    this.#writable.end();
  }

  destroy(): void {
    this.#release();
  }

  #release(error?: Error): void {
    if (this.#over) return;
    this.#over = true;
    this.#readable.destroy();
    this.#writable.destroy();
    this.#events?.closed(error === undefined || isHangUp(error) ? undefined : error);
    this.#onClosed?.();
  }
}

/** True for the errors by which Node reports that the other end is gone. */
function isHangUp(error: Error & { code?: string }): boolean {
  return error.code === "EPIPE" || error.code === "ECONNRESET" || error.code === "ERR_STREAM_PREMATURE_CLOSE";
}
