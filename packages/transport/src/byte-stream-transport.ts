import type { WireError } from "@editwire/core/errors";
import type { Codec, FramingLimits } from "@editwire/framing";
import type { ByteStream } from "./byte-stream.js";
import { Gate } from "./gate.js";
import { Output } from "./output.js";
import { closedHere, closedThere, sendAfterClose } from "./reasons.js";
import type { Transport, TransportEvents } from "./transport.js";

/** How much a transport over a byte stream may hold, and how long its end may take. */
export interface ByteStreamOptions extends FramingLimits {
  /**
   * Bytes that may wait for a slow peer; a `send` that finds more throws `overloaded`. Default 64 MiB.
   * A message is taken whole, so the queue exceeds this by one message at most.
   */
  maxQueuedBytes?: number | undefined;
  /** Milliseconds that the peer gets to take what was sent and to let go, before the stream is destroyed. Default 2,000. */
  closeTimeoutMs?: number | undefined;
}

const defaultMaxQueuedBytes = 64 * 1024 * 1024;
/** Default of `closeTimeoutMs`. */
export const defaultCloseTimeoutMs = 2_000;

const silence: TransportEvents = { message() {}, malformed() {}, closed() {} };

/** Moves messages over a stream of bytes, framed by `codec`. The transport owns the stream: it opens, ends and destroys it. */
export function byteStreamTransport(stream: ByteStream, codec: Codec, options: ByteStreamOptions = {}): Transport {
  const { maxQueuedBytes = defaultMaxQueuedBytes, closeTimeoutMs = defaultCloseTimeoutMs } = options;
  const framer = codec.open(options);
  const output = new Output(stream, framer, maxQueuedBytes);
  const gone = new Gate();

  let state: "open" | "closing" | "closed" = "open";
  let events = silence;
  /** The listener is not there yet, or has not settled its last message. */
  let waiting = true;
  let paused = true;
  let inputOver = false;
  /** The stream is closed; `lost` is what it said about it. */
  let streamOver = false;
  let lost: Error | undefined;
  let reasonOf: (lost?: Error) => WireError = closedThere;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const pull = (): void => {
    while (state === "open" && !waiting) {
      const frame = framer.next();
      if (frame === undefined) return inputOver ? shut(closedThere) : undefined;
      if (frame.ok) deliver(frame.value);
      else if (frame.fatal) shut(() => frame.error);
      else events.malformed(frame.error);
    }
  };

  const deliver = (value: unknown): void => {
    const settled = events.message(value);
    if (settled === undefined) return;
    waiting = true;
    settled.then(proceed, proceed);
  };

  const proceed = (): void => {
    waiting = false;
    pull();
    if (!paused || waiting) return;
    paused = false;
    stream.resume();
  };

  const shut = (why: (lost?: Error) => WireError): void => {
    if (state !== "open") return;
    state = "closing";
    reasonOf = why;
    if (streamOver) return finish();
    timer = setTimeout(() => stream.destroy(), closeTimeoutMs);
    stream.resume(); // A peer that cannot write does not get to see the end.
    output.end();
  };

  const finish = (): void => {
    state = "closed";
    clearTimeout(timer);
    gone.open();
    events.closed(reasonOf(lost));
  };

  const data = (chunk: Uint8Array): void => {
    if (state !== "open") return;
    framer.push(chunk);
    if (!waiting) return pull();
    paused = true;
    stream.pause();
  };

  const end = (): void => {
    if (inputOver) return;
    inputOver = true;
    framer.end();
    pull();
  };

  const close = (error?: Error): void => {
    streamOver = true;
    lost = error;
    output.drop();
    if (state === "closing") finish();
    else end(); // What came before is still handed over.
  };

  stream.open({ data, end, drain: () => output.drain(), close });

  return {
    start(listener) {
      events = listener;
      queueMicrotask(state === "closed" ? () => listener.closed(reasonOf(lost)) : proceed);
    },
    send(json) {
      if (state !== "open" || streamOver) throw sendAfterClose();
      return output.send(json);
    },
    close() {
      if (state === "closed") return Promise.resolve();
      const done = gone.wait();
      shut(closedHere);
      return done;
    },
  };
}
