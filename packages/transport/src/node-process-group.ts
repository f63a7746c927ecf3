import type { ChildProcess } from "node:child_process";

/** A child and what it started. On Windows, which has no process groups, the child alone. */
export interface ProcessGroup {
  /** Signals every member; false when no member is left, or none that may be signaled. */
  signal(name: NodeJS.Signals): boolean;
  /** Ends the processes that an exited child left behind: SIGTERM, and SIGKILL after `graceMs`. */
  leaderExited(graceMs: number): void;
}

const living = new Set<ProcessGroup>();

const killAll = (): void => {
  for (const group of living) group.signal("SIGKILL");
};

/** Tracks the group of a child that was spawned `detached`: while it runs, this process' exit kills it. */
export function processGroup(child: ChildProcess, pid: number): ProcessGroup {
  const group: ProcessGroup = {
    signal(name) {
      try {
        return process.platform === "win32" ? child.kill(name) : process.kill(-pid, name);
      } catch {
        return false;
      }
    },
    leaderExited(graceMs) {
      if (!group.signal("SIGTERM")) return forget(group);
      setTimeout(() => {
        group.signal("SIGKILL");
        forget(group);
      }, graceMs).unref();
    },
  };
  if (living.size === 0) process.on("exit", killAll);
  living.add(group);
  return group;
}

function forget(group: ProcessGroup): void {
  living.delete(group);
  if (living.size === 0) process.off("exit", killAll);
}
