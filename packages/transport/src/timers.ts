/** Runs `action` once after `ms`, unless stopped. It does not keep a process alive. */
export function startTimer(ms: number, action: () => void): () => void {
  const timer = setTimeout(action, ms);
  unref(timer);
  return () => clearTimeout(timer);
}

/** Runs `action` every `ms` until stopped. It does not keep a process alive. */
export function startInterval(ms: number, action: () => void): () => void {
  const timer = setInterval(action, ms);
  unref(timer);
  return () => clearInterval(timer);
}

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

/** Node's timers are objects with `unref`; a browser's are numbers. */
function unref(timer: unknown): void {
  (timer as { unref?: () => void }).unref?.();
}
