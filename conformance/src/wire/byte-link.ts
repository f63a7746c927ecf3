import { type Trace } from "../trace/trace.js";
import { faultyWriter } from "./faults.js";
import { encodeFrame, FrameCutter } from "./framing.js";
import type { Control, Ended, Link, OpenOptions } from "./link.js";
import type { PipeEnd } from "./pipe.js";

/** What a byte stream's owner adds: how to end the far side for good, and when it is over. */
export interface Owner {
  readonly transport: string;
  /** Ends the far side; what it still writes meanwhile is recorded. */
  close(): Promise<void>;
  /** Resolves when the far side is gone; without it the end of its stream counts. */
  readonly gone?: Promise<Ended> | undefined;
  readonly control?: Control | undefined;
}

/** A link over a stream of bytes: stdio, a socket, or memory. */
export function byteLink(pipe: PipeEnd, owner: Owner, { trace, framing, faults }: OpenOptions): Link {
  const cutter = new FrameCutter();
  const out = faultyWriter(
    (bytes) => {
      trace.add({ kind: "bytes", from: "suite", bytes });
      pipe.write(bytes);
    },
    () => pipe.end(),
    faults,
  );
  let streamEnded = (_ended: Ended): void => {};
  const eof = new Promise<Ended>((resolve) => (streamEnded = resolve));
  pipe.listen({
    data(chunk) {
      trace.add({ kind: "bytes", from: "target", bytes: chunk });
      record(trace, cutter.push(chunk));
    },
    end() {
      record(trace, cutter.end());
      trace.add({ kind: "event", from: "target", name: "end-of-stream" });
      streamEnded({ reason: "the target closed its output" });
    },
  });
  const ended = Promise.race([eof.then((end) => owner.gone ?? end), ...(owner.gone ? [owner.gone] : [])]);
  return {
    trace,
    transport: owner.transport,
    send(message) {
      trace.add({ kind: "message", from: "suite", message });
      out.write(encodeFrame(message, framing));
    },
    sendBytes: (bytes) => out.write(typeof bytes === "string" ? Buffer.from(bytes, "utf8") : bytes),
    halfClose() {
      trace.add({ kind: "event", from: "suite", name: "half-close" });
      out.end();
    },
    close: () => owner.close(),
    ended,
    control: owner.control,
  };
}

function record(trace: Trace, frames: ReturnType<FrameCutter["push"]>): void {
  for (const cut of frames) {
    if (cut.ok) trace.add({ kind: "message", from: "target", message: cut.message, frame: cut.frame });
    else trace.add({ kind: "malformed", from: "target", problem: cut.problem, excerpt: cut.excerpt });
  }
}
