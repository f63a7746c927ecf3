/** Timers run 2^31-1 ms at most, nearly 25 days. */
export const longestTimerMs = 2_147_483_647;

/**
 * Calls `action` once after `ms`, unless the returned function is called first; more than `longestTimerMs` counts as
 * `longestTimerMs`. The timer does not keep a process alive.
 */
export function startTimer(ms: number, action: () => void): () => void {
  const timer = setTimeout(action, Math.min(ms, longestTimerMs));
  unref(timer);
  return () => clearTimeout(timer);
}

/** As `startTimer`, but the timer keeps a process alive: for a promise that nothing else may be there to settle. */
export function startHoldingTimer(ms: number, action: () => void): () => void {
  const timer = setTimeout(action, Math.min(ms, longestTimerMs));
  return () => clearTimeout(timer);
}

/** Calls `action` every `ms` until the returned function is called. The timer does not keep a process alive. */
export function startInterval(ms: number, action: () => void): () => void {
  const timer = setInterval(action, Math.min(ms, longestTimerMs));
  unref(timer);
  return () => clearInterval(timer);
}

/** Node's timers are objects with `unref`; a browser's are numbers. */
function unref(timer: unknown): void {
  (timer as { unref?: () => void }).unref?.();
}
