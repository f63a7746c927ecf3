/**
 * Waits. Unlike other timers this one keeps the process alive: who dials has something to do also while not connected.
 */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}

/** The result of `make`. Rejects when the signal aborts first; `discard` then gets the result. */
export function untilAborted<T>(
  make: () => Promise<T>,
  signal: AbortSignal,
  discard: (made: T) => unknown,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
    const making = async (): Promise<void> => {
      const made = await make();
      if (signal.aborted) discard(made);
      else resolve(made);
    };
    making()
      .catch(reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}

/** How long to wait between attempts. */
export interface BackoffOptions {
  /** Milliseconds before the second attempt. Default 1,000; each further one waits twice as long. */
  minMs?: number | undefined;
  /** Milliseconds at most. Default 30,000. */
  maxMs?: number | undefined;
  /**
   * The share by which a wait may be longer, at random, so that not all come back at once after an outage.
   * Default 0.25.
   */
  jitter?: number | undefined;
  /** Milliseconds that a connection must last so that the waits start over. Default 5,000. */
  stableMs?: number | undefined;
}

/** Milliseconds to wait after this number of failures in a row; the first one counts 0. */
export function backoff(
  failures: number,
  { minMs = 1_000, maxMs = 30_000, jitter = 0.25 }: BackoffOptions = {},
  random: () => number = Math.random,
): number {
  return Math.min(maxMs, minMs * 2 ** Math.min(failures, 30) * (1 + jitter * random()));
}
