/** Watches the process that started a server. */
export interface ParentWatch {
  /** False when the process could not be seen at the start, as from a container. It is not watched then. */
  readonly watching: boolean;
  stop(): void;
}

/**
 * Calls `onGone` when the process with this id has ended. It checks every `everyMs`, and does not keep this process
 * alive.
 */
export function watchParent(pid: number, everyMs: number, onGone: () => void): ParentWatch {
  if (!isAlive(pid)) return { watching: false, stop() {} };
  const timer = setInterval(() => {
    if (isAlive(pid)) return;
    clearInterval(timer);
    onGone();
  }, everyMs).unref();
  return { watching: true, stop: () => clearInterval(timer) };
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false; // an id of 0 or less names a group of processes
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // it exists and belongs to another user
  }
}
