import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes. */
export interface Memory {
  readonly heap: number;
  readonly rss: number;
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** The memory of this process after a garbage collection. */
export async function settledMemory(): Promise<Memory> {
  for (let i = 0; i < 3; i += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed: heap, rss } = process.memoryUsage();
  return { heap, rss };
}

/**
 * The memory of a process in bytes: resident, on V8's heap, and in array buffers, where Node keeps the bytes it reads.
 */
interface Parts {
  readonly rss: number;
  readonly heap: number;
  readonly buffers: number;
}

/** The memory of a process at rest, and its peak since then. */
export interface Peaks {
  readonly idle: Parts;
  readonly peak: Parts;
}

/** Watches this process' memory from now on. */
export function watchPeaks(): () => Peaks {
  const idle = currentParts();
  let peak = idle;
  const look = (): void => {
    const { rss, heap, buffers } = currentParts();
    peak = { rss: Math.max(peak.rss, rss), heap: Math.max(peak.heap, heap), buffers: Math.max(peak.buffers, buffers) };
  };
  setInterval(look, 10).unref();
  return () => {
    look();
    return { idle, peak };
  };
}

function currentParts(): Parts {
  const { rss, heapUsed: heap, arrayBuffers: buffers } = process.memoryUsage();
  return { rss, heap, buffers };
}
