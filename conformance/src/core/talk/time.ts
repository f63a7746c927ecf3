/** The only three ways in which a case may use time; all are scaled. */
export interface Time {
  /** The longest time of a wait, in milliseconds. A longer deadline never hides a failure. */
  deadline(ms: number): number;
  /** Milliseconds during which something must not happen. A shorter time never causes a false failure. */
  quiet(ms: number): number;
  /** Milliseconds between two steps of a slow script. */
  paced(ms: number): number;
}

/**
 * Time at a scale, such as 2 on a slow machine. `quietScale` is for targets in memory, which answer at once.
 * `patience` gives the milliseconds that a deadline has at least: they were measured, so a scale below 1 does not
 * shorten them.
 */
export function scaledTime(scale = 1, quietScale = scale, patience = () => 0): Time {
  return {
    deadline: (ms) => Math.max(ms * scale, patience() * Math.max(1, scale)),
    quiet: (ms) => ms * quietScale,
    paced: (ms) => ms * quietScale,
  };
}

/** Time for the start of a target: a busy machine needs it, so a scale below 1 does not shorten it. */
export const startTime = (scale = 1): Time => scaledTime(Math.max(1, scale));

/** Resolves after `ms` milliseconds. */
export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Resolves after `ms` milliseconds, or at once when the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
  });
}

const SLICES = 16;
const SLICE_MS = 5;

/**
 * Calls back after `ms` milliseconds in which this process could read its input: the time is counted in slices, and one
 * that ends late because the process was busy counts no more than the others. Returns a function that stops it.
 */
export function alarm(ms: number, ring: () => void): () => void {
  const slices = Math.max(1, Math.min(SLICES, Math.floor(ms / SLICE_MS)));
  let left = slices;
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    if (left-- > 0) timer = setTimeout(next, ms / slices);
    else ring();
  };
  next();
  return () => clearTimeout(timer);
}

/** Resolves after `ms` milliseconds in which this process could read its input. */
export function idle(ms: number): Promise<void> {
  return new Promise((resolve) => void alarm(ms, resolve));
}

/** The value of a promise if it resolves within `ms` milliseconds; otherwise `undefined`. */
export function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = alarm(ms, () => resolve(undefined));
    promise.then(resolve, reject).finally(stop);
  });
}
