/** Runs `action` once after `ms`, unless stopped. It does not keep a process alive. */
export function startTimer(ms: number, action: () => void): () => void {
  const timer: unknown = setTimeout(action, Math.min(ms, 2_147_483_647));
  (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
}

/** Goes on with a value, at once where it is no promise. */
export function after<T>(value: T | Promise<T>, next: (value: T) => void | Promise<void>): void | Promise<void> {
  return isPromise(value) ? value.then(next) : next(value);
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
