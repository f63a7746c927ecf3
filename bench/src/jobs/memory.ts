import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes. */
export interface Memory {
  readonly heap: number;
  readonly rss: number;
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** What this process holds once its garbage is gone. */
export async function settledMemory(): Promise<Memory> {
  for (let i = 0; i < 3; i += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed: heap, rss } = process.memoryUsage();
  return { heap, rss };
}

/** Watches this process' resident memory from now on. */
export function watchPeak(): () => { idle: number; peak: number } {
  const idle = process.memoryUsage.rss();
  let peak = idle;
  setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10).unref();
  return () => ({ idle, peak: Math.max(peak, process.memoryUsage.rss()) });
}
