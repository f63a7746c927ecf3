import type { Handlers } from "../contenders/contender.js";
import type { Figures, JobOf } from "./job.js";
import { watchPeak } from "./memory.js";
import { openLink } from "./open.js";

const messageBytes = 16 * 1024;
const mebibyte = 1024 * 1024;

/** Sends `bytes` to a reader that takes a millisecond for each message, and gives the memory of both ends. */
export async function slow({ contender, bytes }: JobOf<"slow">): Promise<Figures> {
  const count = Math.ceil(bytes / messageBytes);
  let handled = 0;
  let last = Promise.resolve();
  const handlers: Handlers = {
    role: "calls",
    call: () => {},
    update() {
      const turn = last.then(async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        handled += 1;
      });
      return (last = turn);
    },
  };
  const link = await openLink({ contender }, handlers);
  await link.call("_bench/memory", {});
  const peak = watchPeak();
  const start = performance.now();
  await link.call("_bench/flood", { corpus: messageBytes, count });
  await last;
  if (handled !== count) throw new Error(`${contender} handled ${handled} updates, expected ${count}`);
  const seconds = (performance.now() - start) / 1_000;
  const consumer = peak();
  const producer = (await link.call("_bench/memory", {})) as { idle: number; peak: number };
  await link.close();
  const above = (memory: { idle: number; peak: number }): number => (memory.peak - memory.idle) / mebibyte;
  return { consumer: above(consumer), producer: above(producer), seconds };
}
