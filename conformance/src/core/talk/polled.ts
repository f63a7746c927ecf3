import type { CaseContext } from "../run/context.js";

const POLL_MS = 15;
/** On a busy machine, few queries fit into the time. */
const MIN_QUERIES = 20;
/** How many times as long such a machine may take. */
const TIMES = 4;

/** Repeats a query until its answer is right, for `ms` milliseconds before scaling. Gives the last answer. */
export async function polled<T>(
  { time, pace }: Pick<CaseContext, "time" | "pace">,
  ms: number,
  query: () => Promise<T>,
  isRight: (answer: T) => boolean,
): Promise<T> {
  const start = performance.now();
  const budget = time.deadline(ms);
  for (let asked = 1; ; asked++) {
    const answer = await query();
    const spent = performance.now() - start;
    if (isRight(answer) || spent > TIMES * budget || (spent > budget && asked >= MIN_QUERIES)) return answer;
    await pace(POLL_MS);
  }
}
