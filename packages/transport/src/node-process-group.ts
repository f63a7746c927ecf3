import type { ChildProcess } from "node:child_process";
import { signalTree } from "./node-process-tree.js";

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

const living = new Set<ChildProcess>();

const killAll = (): void => {
  for (const child of living) signalTree(child, "SIGKILL", { wait: true });
};

/** Tracks the group of a child that was spawned `detached`: while it runs, this process' exit kills it. */
export function processGroup(child: ChildProcess): ProcessGroup {
  if (living.size === 0) process.on("exit", killAll);
  living.add(child);
  return {
    signal: (name) => signalTree(child, name),
    leaderExited(graceMs) {
      if (!signalTree(child, "SIGTERM")) return forget(child);
      setTimeout(() => {
        signalTree(child, "SIGKILL");
        forget(child);
      }, graceMs).unref();
    },
  };
}

function forget(child: ChildProcess): void {
  living.delete(child);
  if (living.size === 0) process.off("exit", killAll);
}
