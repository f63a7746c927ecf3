/** The part of the global scope that a runtime with Node's API adds; a browser has nothing of it. */
interface Runtime {
  nextTick?(action: (due: () => void) => void, due: () => void): void;
  on?(event: "exit", listener: () => void): unknown;
}

const waiting = new Set<() => void>();
const settled = Promise.resolve();
let watchesExit = false;

/**
 * Runs `action` once at the end of the tick, however often it is asked for until then. In Node the tick ends when no
 * microtask is left, so a loop that awaits every send is one tick; when the process exits first, `action` runs at the
 * exit. Elsewhere the tick ends with the current microtask.
 */
export function atEndOfTick(action: () => void): void {
  if (waiting.has(action)) return;
  const runtime = enter(action);
  // By way of a microtask: what is put off while an event is handled would otherwise run before its promise jobs.
  if (runtime?.nextTick === undefined) void settled.then(() => run(action));
  else void settled.then(() => runtime.nextTick?.(run, action));
}

/** Notes that `action` is due, and returns the runtime if there is one. */
function enter(action: () => void): Runtime | undefined {
  waiting.add(action);
  const { process } = globalThis as { process?: Runtime };
  if (!watchesExit) process?.on?.("exit", runAll);
  watchesExit = true;
  return process;
}

function run(action: () => void): void {
  if (waiting.delete(action)) action();
}

function runAll(): void {
  for (const action of waiting) run(action);
}
