import { type ChildProcess, execFile } from "node:child_process";
import { join } from "node:path";
import spawn from "cross-spawn";
import { within } from "../core/time.js";
import type { Trace } from "../trace/trace.js";
import { TargetError } from "./link.js";

/**
 * A command to start, without a shell; on Windows also a `.cmd` file, such as npm installs, with its arguments escaped.
 */
export interface StdioCommand {
  readonly argv: readonly string[];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Starts a command in a process group of its own. The trace records its stderr. Rejects with `TargetError`. */
export async function startGroup({ argv, cwd, env }: StdioCommand, trace: Trace): Promise<ChildProcess> {
  const [command, ...args] = argv;
  if (command === undefined) throw new TargetError("no command to start");
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  // A target that exits while the suite writes is reported by its exit, not by EPIPE.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on("error", () => {});
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error) =>
      reject(new TargetError(`cannot start \`${argv.join(" ")}\`: ${error.message}`, { cause: error })),
    );
  });
  trace.add({ kind: "event", from: "suite", name: "open", data: { command: argv, pid: child.pid } });
  child.stderr?.on("data", (chunk: Buffer) =>
    trace.add({ kind: "stderr", from: "target", text: chunk.toString("utf8") }),
  );
  // What it started and left behind is in the same group, and must not outlive it.
  child.once("exit", () => signalGroup(child, "SIGKILL"));
  return child;
}

/** Ends a group: end of input, then TERM, then KILL, with `graceMs` before each. Always resolves. */
export async function endGroup(child: ChildProcess, graceMs: number): Promise<void> {
  const exited = new Promise<true>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(true);
    else child.once("exit", () => resolve(true));
  });
  child.stdin?.end();
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if ((await within(exited, graceMs)) === true) break;
    signalGroup(child, signal);
  }
  await within(exited, graceMs);
  // A grandchild outside of the group may hold the pipes open for ever.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") killTree(child);
    else process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}

/** Ends a process of Windows and what it started: a `.cmd` file runs its program through `cmd.exe`. */
function killTree(child: ChildProcess): void {
  // The system may give the id of a process that has exited to another one.
  if (child.exitCode !== null || child.signalCode !== null) return;
  const taskkill = join(process.env["SystemRoot"] ?? "C:\\Windows", "System32", "taskkill.exe");
  execFile(taskkill, ["/pid", String(child.pid), "/T", "/F"], { windowsHide: true }, (error) => {
    if (error !== null) child.kill("SIGKILL");
  });
}
