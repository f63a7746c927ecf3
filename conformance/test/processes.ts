import { readFileSync } from "node:fs";

/** Says whether a process is still there. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie that nobody has reaped yet runs no more.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
