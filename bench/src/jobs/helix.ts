import type { Link } from "../contenders/contender.js";
import { type Errand, lengthOf } from "../contenders/helix-errand.js";
import type { Figures, JobOf } from "./job.js";
import { settledMemory } from "./memory.js";
import { startListening } from "./open.js";

const dialsAtATime = 50;

/** Connects agents to one host, weighs them at rest, then lets all of them stream at once. */
export async function helix({ contender, agents, turns, updates, apart }: JobOf<"helix">): Promise<Figures> {
  const far = await startListening({ contender, listen: "ws:" });
  const links: Link[] = [];
  const dialMore = async (size: number): Promise<void> => {
    while (links.length < size) {
      const batch = Array.from({ length: Math.min(dialsAtATime, size - links.length) }, () =>
        far.dial({ role: "calls", call: () => {}, update: () => {} }),
      );
      links.push(...(await Promise.all(batch)));
    }
  };
  const stream = async (errand: Errand, busy: readonly Link[]): Promise<number> => {
    const start = performance.now();
    const sums = await Promise.all(busy.map((link) => link.call("_bench/errand", errand)));
    const elapsed = performance.now() - start;
    const wrong = sums.find((sum) => sum !== lengthOf(errand));
    if (wrong !== undefined)
      throw new Error(`${contender} received ${String(wrong)} characters, expected ${lengthOf(errand)}`);
    return (busy.length * errand.turns * errand.updates) / elapsed;
  };
  await dialMore(1);
  // The first stream loads modules, so it is not measured.
  await stream({ turns: 200, updates: Math.min(updates, 100), apart }, links);
  const before = { near: await settledMemory(), far: await far.memory() };
  await dialMore(agents + 1);
  const after = { near: await settledMemory(), far: await far.memory() };
  const rate = await stream({ turns, updates, apart }, links.slice(1));
  await Promise.all(links.map((link) => link.close()));
  await far.end();
  const each = (bytes: number): number => bytes / 1024 / agents;
  return {
    rate,
    "server heap": each(after.far.heap - before.far.heap),
    "server rss": each(after.far.rss - before.far.rss),
    "client rss": each(after.near.rss - before.near.rss),
  };
}
