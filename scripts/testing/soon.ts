import { expect } from "vitest";

/** Turns of the event loop, timers included, after which what happens in memory has happened. */
const maxTurns = 1_000;

/**
 * Awaits a promise that waits for nothing outside of this process. If it does not settle, the test fails here, with a
 * text that says what did not happen, and not by its time limit.
 */
export async function soon<T>(what: string, promise: Promise<T>): Promise<T> {
  let isPending = true;
  const settle = (): void => void (isPending = false);
  const settled = promise.then(settle, settle);
  for (let turn = 0; isPending && turn < maxTurns; turn++)
    await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, 0))]);
  return isPending ? expect.fail(`${what} did not come`) : promise;
}
