/** Watches the process that started a server. */
export interface ParentWatch {
  /** False when the process was not to be seen from the start, as from inside a container; nothing is watched then. */
  readonly watching: boolean;
  stop(): void;
}

/** Calls `onGone` once the process with this id is gone. It looks every `everyMs`, and does not keep this process alive. */
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
  if (!Number.isSafeInteger(pid) || pid <= 0) return false; // to signal 0 or less would ask about whole groups
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // it is there, and not ours
  }
}
