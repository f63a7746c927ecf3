import { startTimer } from "@editwire/core/timers";

/** Waits until the promise settles, either way, but no longer than `ms`. */
export function within(ms: number, done: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const stop = startTimer(ms, resolve);
    const settle = (): void => {
      stop();
      resolve();
    };
    done.then(settle, settle);
  });
}

/** Waits `ms`, or less when the signal aborts. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, signal.aborted ? 0 : ms);
    signal.addEventListener("abort", done);
  });
}
