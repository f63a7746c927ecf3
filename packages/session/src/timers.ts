/** Calls `action` once after `ms`, unless the returned function is called first. It does not keep a process alive. */
export function startTimer(ms: number, action: () => void): () => void {
  const timer: unknown = setTimeout(action, Math.min(ms, maxDelay));
  (timer as { unref?: () => void }).unref?.(); // a number in browsers
  return () => clearTimeout(timer as number);
}

/** The longest delay that timers take; a longer one would elapse at once. */
const maxDelay = 2 ** 31 - 1;
