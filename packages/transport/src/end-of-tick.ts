/** What a runtime with Node's API adds to the global scope; a browser has nothing of it. */
interface Runtime {
  nextTick?(action: (due: () => void) => void, due: () => void): void;
  on?(event: "exit", listener: () => void): unknown;
}

const waiting = new Set<() => void>();
let watchesExit = false;

/**
 * Runs `action` once at the end of the tick, however often it is asked for until then. In Node the tick ends when no
 * microtask is left, so a loop that awaits every send is one tick; when the process exits first, `action` runs at the
 * exit. Elsewhere the tick ends with the current microtask.
 */
export function atEndOfTick(action: () => void): void {
  if (waiting.has(action)) return;
  waiting.add(action);
  const { process } = globalThis as { process?: Runtime };
  if (process?.nextTick === undefined) return queueMicrotask(() => run(action));
  if (!watchesExit) process.on?.("exit", runAll);
  watchesExit = true;
  process.nextTick(run, action);
}

function run(action: () => void): void {
  if (waiting.delete(action)) action();
}

function runAll(): void {
  for (const action of waiting) run(action);
}
