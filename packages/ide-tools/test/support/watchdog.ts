import { existsSync, readFileSync } from "node:fs";

/** Milliseconds that one step of this thread may take: what is promised. The longest ones take half of it. */
const maxStepMs = 50;

const ownTime = "/proc/thread-self/schedstat";

/** Milliseconds. On Linux those of the processor in this thread, because other processes take it away at any time. */
function clock(): number {
  return existsSync(ownTime) ? Number(readFileSync(ownTime, "utf8").split(" ")[0]) / 1e6 : performance.now();
}

/** Runs work, and fails if it keeps the event loop busy in one piece. */
export async function watched<Result>(work: () => Promise<Result>): Promise<Result> {
  let longest = 0;
  let isOver = false;
  let before = clock();
  const look = (): void => {
    const now = clock();
    longest = Math.max(longest, now - before);
    before = now;
    if (!isOver) setTimeout(look, 1);
  };
  look();
  const result = await work();
  isOver = true;
  look();
  if (longest > maxStepMs) throw new Error(`the event loop was busy for ${Math.round(longest)} ms in one piece`);
  return result;
}
