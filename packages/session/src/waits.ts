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
