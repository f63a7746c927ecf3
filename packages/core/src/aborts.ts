/** The actions of each signal that is watched, and what ends the watching. */
const watched = new WeakMap<AbortSignal, { readonly actions: Set<() => void>; readonly stop: () => void }>();

/**
 * Calls `action` once when `signal` aborts, unless the returned function is called first. All actions of a signal share
 * one listener: Node warns of a leak when a signal has more than ten, as that of a turn with many calls would have.
 */
export function onAbort(signal: AbortSignal, action: () => void): () => void {
  const { actions, stop } = watched.get(signal) ?? watch(signal);
  const own = (): void => action(); // the same function may be given twice
  actions.add(own);
  return () => {
    if (actions.delete(own) && actions.size === 0) stop();
  };
}

function watch(signal: AbortSignal): { readonly actions: Set<() => void>; readonly stop: () => void } {
  const actions = new Set<() => void>();
  const runAll = (): void => {
    for (const action of actions) action();
  };
  const stop = (): void => {
    watched.delete(signal);
    signal.removeEventListener("abort", runAll);
  };
  signal.addEventListener("abort", runAll, { once: true });
  watched.set(signal, { actions, stop });
  return { actions, stop };
}
