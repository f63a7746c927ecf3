import { type ChildProcess, execFile, execFileSync } from "node:child_process";
import { join } from "node:path";

/**
 * Signals a child and what it started; false when no process is left, or none that may be signaled.
 *
 * The child must have been started with `detached`, as the leader of a process group, except on Windows. There, every
 * signal ends the processes immediately: `taskkill` ends the child and its descendants, or `child.kill` the child alone
 * where `taskkill` fails. With `wait`, it does so before the function returns, as a listener to `exit` needs it.
 */
export function signalTree(
  child: ChildProcess,
  name: NodeJS.Signals,
  { wait = false }: { readonly wait?: boolean | undefined } = {},
): boolean {
  const { pid } = child;
  if (pid === undefined) return false;
  if (process.platform === "win32") return endOnWindows(child, pid, wait);
  try {
    return process.kill(-pid, name);
  } catch {
    return false;
  }
}

function endOnWindows(child: ChildProcess, pid: number, wait: boolean): boolean {
  // The system may give the id of a process that has exited to another one.
  if (child.exitCode !== null || child.signalCode !== null) return false;
  // By its full path: a program of this name in the current folder would be found first.
  const taskkill = join(process.env["SystemRoot"] ?? "C:\\Windows", "System32", "taskkill.exe");
  const args = ["/pid", String(pid), "/T", "/F"];
  if (!wait) {
    execFile(taskkill, args, { windowsHide: true }, (error) => {
      if (error !== null) child.kill("SIGKILL");
    });
    return true;
  }
  try {
    execFileSync(taskkill, args, { windowsHide: true, stdio: "ignore", timeout: 5_000 });
  } catch {
    child.kill("SIGKILL");
  }
  return true;
}
