/** The only three ways in which a case may use time; all are scaled. */
export interface Time {
  /** Milliseconds that a wait may take at most. Longer never hides a failure. */
  deadline(ms: number): number;
  /** Milliseconds for which something must not happen. Shorter never makes a false failure. */
  quiet(ms: number): number;
  /** Milliseconds between two steps of a slow script. */
  paced(ms: number): number;
}

/** Time at a scale, such as 2 on a slow machine. `quietScale` is for targets in memory, which need no patience. */
export function scaledTime(scale = 1, quietScale = scale): Time {
  return { deadline: (ms) => ms * scale, quiet: (ms) => ms * quietScale, paced: (ms) => ms * quietScale };
}

/** Resolves after so many milliseconds. */
export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What a promise gives within so many milliseconds, or `undefined`. */
export function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
