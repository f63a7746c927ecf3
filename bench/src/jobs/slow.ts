import type { Handlers } from "../contenders/contender.js";
import type { Figures, JobOf } from "./job.js";
import { type Peaks, watchPeaks } from "./memory.js";
import { openLink } from "./open.js";

const mebibyte = 1024 * 1024;

/**
 * Sends `bytes` to a reader that takes `delayMs` for each message. Gives the memory of both ends above their idle
 * memory, in MB: the resident memory of each, and what the reader's heap and its buffers were at most.
 */
export async function slow({ contender, bytes, messageBytes, delayMs }: JobOf<"slow">): Promise<Figures> {
  const count = Math.ceil(bytes / messageBytes);
  let handled = 0;
  let last = Promise.resolve();
  const handlers: Handlers = {
    role: "calls",
    call: () => {},
    update() {
      const turn = last.then(async () => {
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        handled += 1;
      });
      return (last = turn);
    },
  };
  const link = await openLink({ contender }, handlers);
  await link.call("_bench/memory", {});
  const peaks = watchPeaks();
  const start = performance.now();
  await link.call("_bench/flood", { corpus: messageBytes, count, awaited: true });
  await last;
  if (handled !== count) throw new Error(`${contender} handled ${handled} updates, expected ${count}`);
  const seconds = (performance.now() - start) / 1_000;
  const consumer = above(peaks());
  const producer = above((await link.call("_bench/memory", {})) as Peaks);
  await link.close();
  return { consumer: consumer.rss, heap: consumer.heap, buffers: consumer.buffers, producer: producer.rss, seconds };
}

function above({ idle, peak }: Peaks): Peaks["peak"] {
  const grown = (part: keyof Peaks["peak"]): number => (peak[part] - idle[part]) / mebibyte;
  return { rss: grown("rss"), heap: grown("heap"), buffers: grown("buffers") };
}
