import { isWireError } from "@editwire/core";
import { startTimer } from "./timers.js";

/**
 * The result of some work, or `undefined` when it has not come this many milliseconds after the signal was aborted: the work is left
 * behind then, and `onLate` hears how it failed. Rejects with what the work throws in time.
 */
export async function withGrace<T>(
  signal: AbortSignal,
  graceMs: number,
  work: () => T | Promise<T>,
  onLate: (error: unknown) => void,
): Promise<{ readonly result: T } | undefined> {
  let stop = (): void => {};
  let start = (): void => {};
  let isLeftBehind = false;
  const graceOver = new Promise<undefined>((resolve) => {
    start = () => {
      stop = startTimer(graceMs, () => {
        isLeftBehind = true;
        resolve(undefined);
      });
    };
  });
  if (signal.aborted) start();
  else signal.addEventListener("abort", start, { once: true });
  const working = (async () => ({ result: await work() }))();
  working.catch((error: unknown) => isLeftBehind && !isWireError(error) && onLate(error));
  try {
    return await Promise.race([working, graceOver]);
  } finally {
    stop();
    signal.removeEventListener("abort", start);
  }
}
