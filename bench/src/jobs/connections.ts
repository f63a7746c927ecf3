import type { Link } from "../contenders/contender.js";
import { callMany } from "./calls.js";
import type { Figures, JobOf } from "./job.js";
import { settledMemory } from "./memory.js";
import { startListening } from "./open.js";

const dialsAtATime = 50;

/** Opens many connections to one process, weighs them at rest, then makes calls on all of them at once. */
export async function connections({
  contender,
  listen,
  connections: wanted,
  count,
}: JobOf<"connections">): Promise<Figures> {
  const far = await startListening({ contender, listen });
  const links: Link[] = [];
  const dialMore = async (size: number): Promise<void> => {
    while (links.length < size) {
      const batch = Array.from({ length: Math.min(dialsAtATime, size - links.length) }, () =>
        far.dial({ role: "calls", call: () => {}, update: () => {} }),
      );
      links.push(...(await Promise.all(batch)));
    }
    await callMany(links, 1, links.length);
  };
  await dialMore(1); // what the first one loads belongs to none
  const before = { near: await settledMemory(), far: await far.memory() };
  await dialMore(wanted + 1);
  const after = { near: await settledMemory(), far: await far.memory() };
  await callMany(links, 1, Math.ceil(count / 4));
  const { rate = 0 } = await callMany(links, 1, count);
  await Promise.all(links.map((link) => link.close()));
  await far.end();
  const each = (bytes: number): number => bytes / 1024 / wanted;
  return {
    rate,
    "server heap": each(after.far.heap - before.far.heap),
    "client heap": each(after.near.heap - before.near.heap),
    "server rss": each(after.far.rss - before.far.rss),
    "client rss": each(after.near.rss - before.near.rss),
  };
}
