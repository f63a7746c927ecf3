import type { ChildProcess } from "node:child_process";
import { watchGroup } from "./orphan-watch.js";
import { signalTree } from "./process-tree.js";

const living = new Map<ChildProcess, () => void>();

const killAll = (): void => {
  for (const child of living.keys()) signalTree(child, "SIGKILL", { wait: true });
};

/**
 * Ends a child and what it started together with this process: it is killed when this process exits, and soon after a
 * signal has ended this process. Returns a function that gives the child free. As with `signalTree`, the child must
 * have been started with `detached`, except on Windows; there, a process that is ended from outside takes only its
 * children along, not what they started.
 */
export function killAtExit(child: ChildProcess): () => void {
  const { pid } = child;
  if (pid === undefined) return () => {};
  if (living.size === 0) process.on("exit", killAll);
  living.set(child, watchGroup(pid));
  return () => {
    living.get(child)?.();
    living.delete(child);
    if (living.size === 0) process.off("exit", killAll);
  };
}

/** A child and what it started. */
export interface ProcessGroup {
  /** Signals every member; false when no member is left, or none that may be signaled. */
  signal(name: NodeJS.Signals): boolean;
  /**
   * Ends the processes that an exited child left behind: SIGTERM, and SIGKILL after `graceMs`. Does nothing on Windows,
   * where they cannot be found after the child's exit.
   */
  leaderExited(graceMs: number): void;
}

/** Tracks the group of a child that was spawned `detached`: it ends with this process. */
export function processGroup(child: ChildProcess): ProcessGroup {
  const forget = killAtExit(child);
  return {
    signal: (name) => signalTree(child, name),
    leaderExited(graceMs) {
      if (!signalTree(child, "SIGTERM")) return forget();
      setTimeout(() => {
        signalTree(child, "SIGKILL");
        forget();
      }, graceMs).unref();
    },
  };
}
