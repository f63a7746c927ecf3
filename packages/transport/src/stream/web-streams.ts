import type { Codec } from "@editwire/framing";
import type { ByteStream, ByteStreamEvents } from "./byte-stream.js";
import { type ByteStreamOptions, byteStreamTransport } from "./transport.js";
import type { Transport } from "../transport.js";

/**
 * Moves messages over a pair of streams of the web platform, as browsers, workers, Deno and Bun have them. The
 * transport owns them: an end or an error of either ends both. Throws a `TypeError` for a stream that is locked.
 */
export function webStreamTransport(
  readable: ReadableStream<Uint8Array>,
  writable: WritableStream<Uint8Array>,
  codec: Codec,
  options?: ByteStreamOptions,
): Transport {
  return byteStreamTransport(new WebByteStream(readable, writable), codec, options);
}

/** Bytes from which on a writer should wait. */
const maxUnwritten = 64 * 1024;

class WebByteStream implements ByteStream {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #encoder = new TextEncoder();
  #events: ByteStreamEvents | undefined;
  /** Bytes that the stream has not written yet. Its own `desiredSize` may count chunks, as in Node. */
  #unwritten = 0;
  #full = false;
  #paused = true;
  #reading = false;
  #inputOver = false;
  #over = false;

  constructor(readable: ReadableStream<Uint8Array>, writable: WritableStream<Uint8Array>) {
    this.#reader = readable.getReader();
    this.#writer = writable.getWriter();
  }

  open(events: ByteStreamEvents): void {
    this.#events = events;
    this.#writer.closed.then(
      () => this.#release(),
      (error: unknown) => this.#release(error),
    );
  }

  write(data: Uint8Array | string): boolean {
    const bytes = typeof data === "string" ? this.#encoder.encode(data) : data;
    this.#unwritten += bytes.length;
    this.#writer.write(bytes).then(
      () => this.#wrote(bytes.length),
      () => {}, // `closed` of the writer has the error
    );
    this.#full ||= this.#unwritten >= maxUnwritten;
    return !this.#full;
  }

  #wrote(length: number): void {
    this.#unwritten -= length;
    if (!this.#full || this.#unwritten >= maxUnwritten) return;
    this.#full = false;
    this.#events?.drain();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    if (!this.#reading && !this.#inputOver) void this.#read();
  }

  async #read(): Promise<void> {
    this.#reading = true;
    try {
      while (!this.#paused && !this.#over) {
        const { done, value } = await this.#reader.read();
        if (this.#over) return;
        this.#inputOver = done;
        if (done) return this.#events?.end();
        this.#events?.data(value);
      }
    } catch (error) {
      this.#release(error);
    } finally {
      this.#reading = false;
    }
  }

  end(): void {
    this.#writer.close().catch(() => {});
  }

  destroy(): void {
    this.#release();
  }

  #release(error?: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#reader.cancel(error).catch(() => {});
    this.#writer.abort(error).catch(() => {});
    this.#events?.closed(error === undefined || error instanceof Error ? error : new Error(String(error)));
  }
}
