import type { Handlers, Update } from "../contenders/contender.js";
import { readCorpus } from "../corpus.js";
import { type Flooded, sumOf, weigh } from "../messages.js";
import type { Figures, JobOf } from "./job.js";
import { openLink } from "./open.js";

/**
 * Times updates from the child's first send to the last handler here. `reader` and `sender` are the processor times of
 * the two sides, in microseconds a message.
 */
export async function flood(job: JobOf<"flood">): Promise<Figures> {
  const { contender, listen, corpus, count, awaited, runs = 1 } = job;
  const counter = new Counter();
  const link = await openLink({ contender, listen }, counter.handlers);
  const updates = readCorpus(corpus);

  const run = async (size: number): Promise<{ ms: number; sender: number }> => {
    const expected = sumOf(updates, size);
    const start = performance.now();
    const flooding = link.call("_bench/flood", { corpus, count: size, awaited }) as Promise<Flooded>;
    const [{ cpu }] = await Promise.all([flooding, counter.until(size)]);
    const ms = performance.now() - start;
    if (counter.count !== size || counter.sum !== expected) {
      throw new Error(
        `${contender} handled ${counter.count} updates that add up to ${counter.sum}, expected ${size} and ${expected}`,
      );
    }
    return { ms, sender: cpu };
  };

  await run(Math.ceil(Math.min(count / 2, 20_000)));
  const before = process.cpuUsage();
  let elapsed = 0;
  let senderCpu = 0;
  for (let i = 0; i < runs; i += 1) {
    const { ms, sender } = await run(count);
    elapsed += ms;
    senderCpu += sender;
  }
  const { user, system } = process.cpuUsage(before);
  await link.close();
  const handled = count * runs;
  return {
    rate: handled / elapsed,
    ms: elapsed / handled,
    reader: (user + system) / handled,
    sender: senderCpu / handled,
  };
}

/** Counts and adds up what it handles. */
class Counter {
  count = 0;
  sum = 0;
  #goal = Infinity;
  #reached = (): void => {};

  readonly handlers: Handlers = {
    role: "calls",
    call: (method) => {
      throw new Error(`unexpected call of ${method}`);
    },
    update: (params: Update) => {
      this.sum += weigh(params);
      this.count += 1;
      if (this.count === this.#goal) this.#reached();
    },
  };

  /** Restarts from zero, and resolves when `count` messages were handled. */
  until(goal: number): Promise<void> {
    this.count = this.sum = 0;
    this.#goal = goal;
    return new Promise((resolve) => (this.#reached = resolve));
  }
}
