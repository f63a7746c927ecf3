import type { WireError } from "@editwire/core/errors";
import { Gate } from "@editwire/core/gate";
import type { BadFrame, Codec, Framer, FramingLimits, Unfinished } from "@editwire/framing";
import type { ByteStream, ByteStreamEvents } from "./byte-stream.js";
import { Output } from "./output.js";
import { closedHere, closedThere, sendAfterClose } from "../shared/reasons.js";
import type { HeldTransport } from "../listening/queue-total.js";
import { StallWatch } from "./stall-watch.js";
import type { Transport, TransportEvents } from "../transport.js";

/** How much a transport over a byte stream may hold, and how long its end may take. */
export interface ByteStreamOptions extends FramingLimits {
  /**
   * Bytes that may wait for a slow peer; a `send` that finds more throws `overloaded`. Default 64 MiB.
   * A message is taken whole, so the queue exceeds this by one message at most.
   */
  maxQueuedBytes?: number | undefined;
  /**
   * Milliseconds without a byte after which the transport closes inside a message that has begun to arrive. Time in
   * which this side does not read does not count. Default 30,000; 0: never.
   */
  stallMs?: number | undefined;
  /**
   * Milliseconds that the peer has to read what was sent and to close. After them the stream is destroyed. Default
   * 2,000.
   */
  closeTimeoutMs?: number | undefined;
}

const defaultMaxQueuedBytes = 64 * 1024 * 1024;
const defaultStallMs = 30_000;
/** Default of `closeTimeoutMs`. */
export const defaultCloseTimeoutMs = 2_000;

/** Unreadable messages after which other work gets its turn. */
const refusedAtOnce = 1_000;

const silence: TransportEvents = { message() {}, malformed() {}, closed() {} };

/**
 * Moves messages over a stream of bytes, framed by `codec`. The transport owns the stream: it opens, ends and destroys
 * it.
 */
export function byteStreamTransport(stream: ByteStream, codec: Codec, options: ByteStreamOptions = {}): Transport {
  return heldByteStreamTransport(stream, codec, options);
}

/** As `byteStreamTransport`, for a listener that bounds what waits in all of its connections. */
export function heldByteStreamTransport(
  stream: ByteStream,
  codec: Codec,
  options: ByteStreamOptions,
): HeldTransport & { readonly wasHeard: boolean } {
  return new ByteStreamTransport(stream, codec, options);
}

/**
 * A class, because closures would cost each of a thousand idle connections more memory. It is its stream's listener.
 */
class ByteStreamTransport implements HeldTransport, ByteStreamEvents {
  onSlow: ((length: number) => void) | undefined;
  /** A whole message has arrived. */
  wasHeard = false;
  readonly #stream: ByteStream;
  readonly #framer: Framer;
  readonly #output: Output;
  readonly #closeTimeoutMs: number;
  readonly #stallMs: number;
  /** Made for the first chunk that ends inside a message. */
  #stall: StallWatch | undefined;
  readonly #gone = new Gate();
  #state: "open" | "closing" | "closed" = "open";
  #events = silence;
  /** `start` was not called yet, or the listener has not settled its last message. */
  #waiting = true;
  #paused = true;
  #inputOver = false;
  /** Messages that were not readable. */
  #refused = 0;
  /** The stream is closed; `#lost` is its error, if it had one. */
  #streamOver = false;
  #lost: Error | undefined;
  #reasonOf: (lost?: Error) => WireError = closedThere;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(stream: ByteStream, codec: Codec, options: ByteStreamOptions) {
    const { maxQueuedBytes = defaultMaxQueuedBytes, stallMs = defaultStallMs } = options;
    this.#stream = stream;
    this.#framer = codec.open(options);
    this.#output = new Output(stream, this.#framer, maxQueuedBytes);
    this.#stallMs = stallMs;
    this.#closeTimeoutMs = options.closeTimeoutMs ?? defaultCloseTimeoutMs;
    stream.open(this);
  }

  start(listener: TransportEvents): void {
    this.#events = listener;
    queueMicrotask(() => (this.#state === "closed" ? listener.closed(this.#reasonOf(this.#lost)) : this.#proceed()));
  }

  send(json: string): void | Promise<void> {
    if (this.#state !== "open" || this.#streamOver) throw sendAfterClose();
    const room = this.#output.send(json);
    if (room !== undefined) this.onSlow?.(json.length);
    return room;
  }

  close(): Promise<void> {
    if (this.#state === "closed") return Promise.resolve();
    const done = this.#gone.wait();
    this.#shut(closedHere);
    return done;
  }

  get queuedBytes(): number {
    return this.#output.queuedBytes;
  }

  cut(reason: WireError): void {
    if (this.#state !== "open") return;
    this.#state = "closing";
    this.#stall?.stop();
    this.#reasonOf = () => reason;
    this.#stream.destroy();
  }

  data(chunk: Uint8Array): void {
    if (this.#state !== "open") return;
    this.#framer.push(chunk);
    if (!this.#waiting) return this.#pull();
    this.#paused = true;
    this.#stream.pause();
  }

  end(): void {
    if (this.#inputOver) return;
    this.#inputOver = true;
    this.#framer.end();
    this.#pull();
  }

  drain(): void {
    this.#output.drain();
  }

  closed(error?: Error): void {
    this.#streamOver = true;
    this.#lost = error;
    this.#output.drop();
    if (this.#state === "closing") this.#finish();
    else this.end(); // Messages that arrived before the close are still delivered.
  }

  #pull(): void {
    while (this.#state === "open" && !this.#waiting) {
      const frame = this.#framer.next();
      if (frame === undefined) return this.#inputOver ? this.#shut(closedThere) : this.#watch();
      if (frame.ok) this.#deliver(frame.value, frame.length);
      else if (frame.fatal) this.#shut(() => frame.error);
      else this.#refuse(frame);
    }
  }

  /** An error costs far more than the bytes of a short message, and many of those arrive at once. */
  #refuse({ error, value }: BadFrame): void {
    this.#events.malformed(error, value);
    if (++this.#refused % refusedAtOnce !== 0) return;
    this.#waiting = true;
    setTimeout(() => this.#proceed());
  }

  #deliver(value: unknown, length: number): void {
    this.wasHeard = true;
    const settled = this.#events.message(value, length);
    if (settled === undefined) return;
    this.#waiting = true;
    const proceed = (): void => this.#proceed();
    settled.then(proceed, proceed);
  }

  /** Sees to it that the message which has begun goes on. */
  #watch(): void {
    if (this.#stall === undefined) {
      if (this.#stallMs === 0 || this.#framer.unfinished === undefined) return;
      const unfinished = (): Unfinished | undefined => (this.#waiting ? undefined : this.#framer.unfinished);
      this.#stall = new StallWatch(this.#stallMs, unfinished, (reason) => this.#shut(() => reason));
    }
    this.#stall.grew();
  }

  #proceed(): void {
    this.#waiting = false;
    this.#pull();
    if (!this.#paused || this.#waiting) return;
    this.#paused = false;
    this.#stream.resume();
  }

  #shut(why: (lost?: Error) => WireError): void {
    if (this.#state !== "open") return;
    this.#state = "closing";
    this.#stall?.stop();
    this.#reasonOf = why;
    if (this.#streamOver) return this.#finish();
    this.#timer = setTimeout(() => this.#stream.destroy(), this.#closeTimeoutMs);
    this.#stream.resume(); // A peer whose writes are blocked would never read the end.
    this.#output.end();
  }

  #finish(): void {
    this.#state = "closed";
    clearTimeout(this.#timer);
    this.#gone.open();
    this.#events.closed(this.#reasonOf(this.#lost));
  }
}
