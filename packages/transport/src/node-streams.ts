import type { Readable, Writable } from "node:stream";
import type { Codec } from "@editwire/framing";
import type { ByteStream, ByteStreamEvents } from "./byte-stream.js";
import { type ByteStreamOptions, byteStreamTransport } from "./byte-stream-transport.js";
import type { Transport } from "./transport.js";

/**
 * Moves messages over a pair of Node streams of bytes, or over one duplex given twice. The transport owns them: an end or an
 * error of either ends both.
 */
export function nodeStreamTransport(readable: Readable, writable: Writable, codec: Codec, options?: ByteStreamOptions): Transport {
  return byteStreamTransport(nodeByteStream(readable, writable), codec, options);
}

/** Makes a `ByteStream` of a pair of Node streams, or of one duplex given twice. */
export function nodeByteStream(readable: Readable, writable: Writable): ByteStream {
  const duplex = (readable as unknown) === writable;
  let events: ByteStreamEvents;
  let over = false;

  const letGo = (error?: Error): void => {
    if (over) return;
    over = true;
    readable.destroy();
    writable.destroy();
    events.close(error === undefined || isHangUp(error) ? undefined : error);
  };

  return {
    open(listener) {
      events = listener;
      // The error listeners stay for good: what fails after the close concerns nobody, and must not end the process.
      readable.pause().on("data", events.data).on("end", events.end).on("error", letGo);
      readable.on("close", () => {
        if (duplex || !readable.readableEnded) letGo();
      });
      writable.on("error", letGo).on("drain", events.drain);
      writable.on("close", () => letGo());
      // A duplex closes by itself when both halves have ended; of a pair the other half may never end.
      if (!duplex) writable.on("finish", () => letGo());
    },
    write: (bytes) => writable.write(bytes),
    pause: () => void readable.pause(),
    resume: () => void readable.resume(),
    end: () => void writable.end(),
    destroy: () => letGo(),
  };
}

/** How Node says that the other end is gone. */
function isHangUp(error: Error & { code?: string }): boolean {
  return error.code === "EPIPE" || error.code === "ECONNRESET" || error.code === "ERR_STREAM_PREMATURE_CLOSE";
}
