import { wait } from "../core/talk/time.js";
import type { Trace } from "../trace/trace.js";
import { faultyWriter } from "./faults.js";
import { encodeFrame, FrameCutter } from "./framing.js";
import { type Control, type Ended, floodEnd, type Link, type OpenOptions } from "./link.js";
import type { PipeEnd } from "./pipe.js";

const EXIT_MS = 200;

/** The owner's part of a byte stream: how to end the far side for good, and when it is over. */
export interface Owner {
  readonly transport: string;
  /** Ends the far side; what it still writes meanwhile is recorded. */
  close(): Promise<void>;
  /** Resolves when the far side is gone; without it the end of its stream counts. */
  readonly gone?: Promise<Ended> | undefined;
  readonly control?: Control | undefined;
}

/** Operations for cases about framing: the `extras` of a link over bytes. */
export interface ByteExtras {
  /** Makes the bytes of one message; a case may replace it. */
  encode(message: unknown): Uint8Array;
}

/** A link over a stream of bytes: stdio, a socket, or memory. */
export function byteLink(pipe: PipeEnd, owner: Owner, options: OpenOptions): Link {
  const { trace, framing, faults, follow = false, over } = options;
  const cutter = new FrameCutter();
  let theirs: "line" | "header" | undefined;
  const extras: ByteExtras = { encode: (message) => encodeFrame(message, (follow ? theirs : undefined) ?? framing) };
  const out = faultyWriter(
    (bytes) => {
      trace.add({ kind: "bytes", from: "suite", bytes });
      pipe.write(bytes);
    },
    () => pipe.end(),
    faults,
  );
  const eof = readStream(pipe, { trace, cutter, over, onFraming: (framing) => (theirs ??= framing) });
  const { gone } = owner;
  // A process that closes its output mostly exits then, and its exit code says more.
  const ended =
    gone === undefined
      ? eof
      : Promise.race([gone, eof.then((end) => Promise.race([gone, wait(EXIT_MS).then(() => end)]))]);
  return {
    trace,
    transport: owner.transport,
    send(message) {
      trace.add({ kind: "message", from: "suite", message });
      out.write(extras.encode(message));
    },
    sendBytes: (bytes) => out.write(typeof bytes === "string" ? Buffer.from(bytes, "utf8") : bytes),
    halfClose() {
      trace.add({ kind: "event", from: "suite", name: "half-close" });
      out.end();
    },
    close: () => owner.close(),
    ended,
    control: owner.control,
    extras,
  };
}

/** How the output of a target is read. */
interface Reading extends Pick<OpenOptions, "trace" | "over"> {
  readonly cutter: FrameCutter;
  readonly onFraming: (framing: "line" | "header") => void;
}

/** The share of a flood from which output no longer matters once the run is over: it only keeps the suite busy. */
const OVER_SHARE = 0.01;

/** Records what the target writes, until its end or a flood. Resolves with how the stream ended. */
function readStream(pipe: PipeEnd, { trace, over, cutter, onFraming }: Reading): Promise<Ended> {
  let streamEnded = (_ended: Ended): void => {};
  const eof = new Promise<Ended>((resolve) => (streamEnded = resolve));
  void trace.flooded.then(() => {
    pipe.destroy();
    streamEnded(floodEnd);
  });
  pipe.listen({
    data(chunk) {
      if (trace.isFlooded || (over?.aborted === true && trace.hasUsed(OVER_SHARE))) return;
      trace.add({ kind: "bytes", from: "target", bytes: chunk });
      const frames = cutter.push(chunk);
      for (const cut of frames) if (cut.ok) onFraming(cut.frame.framing === "header" ? "header" : "line");
      record(trace, frames);
    },
    end() {
      if (trace.isFlooded) return;
      record(trace, cutter.end());
      trace.add({ kind: "event", from: "target", name: "end-of-stream" });
      streamEnded({ reason: "the target closed its output" });
    },
  });
  return eof;
}

function record(trace: Trace, frames: ReturnType<FrameCutter["push"]>): void {
  for (const cut of frames) {
    if (cut.ok) trace.add({ kind: "message", from: "target", message: cut.message, frame: cut.frame });
    else trace.add({ kind: "malformed", from: "target", problem: cut.problem, excerpt: cut.excerpt });
  }
}
