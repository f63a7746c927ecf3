import type { Link } from "../contenders/contender.js";
import type { Figures, JobOf } from "./job.js";
import { openLink } from "./open.js";

const text = "Which files does this change touch?";

/** Times calls of which `depth` are under way all the time. */
export async function calls({ contender, listen, depth, count }: JobOf<"calls">): Promise<Figures> {
  const link = await openLink({ contender, listen }, { role: "calls", call: () => {}, update: () => {} });
  await callMany([link], depth, Math.ceil(Math.min(count, 5_000)));
  const figures = await callMany([link], depth, count);
  await link.close();
  return figures;
}

/**
 * Makes `count` calls over links, `depth` at a time on each, and checks every answer. Latencies are in microseconds,
 * and so is `cpu`, the time that this process computed for each call.
 */
export async function callMany(links: readonly Link[], depth: number, count: number): Promise<Figures> {
  const latencies = new Float64Array(count);
  let next = 0;
  const worker = async (link: Link): Promise<void> => {
    while (next < count) {
      const n = next++;
      const start = performance.now();
      const answer = (await link.call("_bench/echo", { n, text })) as { n?: number; text?: string };
      latencies[n] = (performance.now() - start) * 1_000;
      if (answer.n !== n || answer.text !== text)
        throw new Error(`expected the params of call ${n}, got ${JSON.stringify(answer)}`);
    }
  };
  const spent = process.cpuUsage();
  const start = performance.now();
  await Promise.all(links.flatMap((link) => Array.from({ length: depth }, () => worker(link))));
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(spent);
  latencies.sort();
  const quantile = (share: number): number => latencies[Math.min(count - 1, Math.floor(count * share))] ?? 0;
  return { rate: count / elapsed, p50: quantile(0.5), p99: quantile(0.99), cpu: (user + system) / count };
}
