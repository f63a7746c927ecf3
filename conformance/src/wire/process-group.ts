import { type ChildProcess, execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import spawn from "cross-spawn";
import { wait, within } from "../core/talk/time.js";
import { type OpenOptions, TargetError } from "./link.js";

/**
 * A command to start, without a shell; on Windows also a `.cmd` file, such as npm installs, with its arguments escaped.
 */
export interface StdioCommand {
  readonly argv: readonly string[];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Milliseconds after the end of the run until a group gets TERM, and until it is killed. */
const OVER_TERM_MS = 400;
const OVER_KILL_MS = 800;

/**
 * Starts a command in a process group of its own. The trace records its stderr. The group is killed when it floods the
 * trace, and soon after the run is over. Rejects with `TargetError`.
 */
export async function startGroup(
  { argv, cwd, env }: StdioCommand,
  { trace, over }: Pick<OpenOptions, "trace" | "over">,
): Promise<ChildProcess> {
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
      reject(new TargetError(`cannot start ${JSON.stringify(argv)}: ${error.message}`, { cause: error })),
    );
  });
  trace.add({ kind: "event", from: "suite", name: "open", data: { command: argv, pid: child.pid } });
  child.stderr?.on("data", (chunk: Buffer) =>
    trace.add({ kind: "stderr", from: "target", text: chunk.toString("utf8") }),
  );
  void trace.flooded.then(() => signalGroup(child, "SIGKILL"));
  const stopWatching = endWhenOver(child, over);
  // The processes that it started and left behind are in the same group, and must not outlive it.
  child.once("exit", () => {
    stopWatching();
    signalGroup(child, "SIGKILL");
  });
  return child;
}

/** Ends a group when the run is over, whatever waits for it. Returns a function that stops that. */
function endWhenOver(child: ChildProcess, over: AbortSignal | undefined): () => void {
  const timers: NodeJS.Timeout[] = [];
  const end = (): void => {
    child.stdin?.end();
    timers.push(setTimeout(() => signalGroup(child, "SIGTERM"), OVER_TERM_MS));
    timers.push(setTimeout(() => signalGroup(child, "SIGKILL"), OVER_KILL_MS));
  };
  over?.addEventListener("abort", end, { once: true });
  if (over?.aborted === true) end();
  return () => {
    over?.removeEventListener("abort", end);
    for (const timer of timers) clearTimeout(timer);
  };
}

/** Milliseconds between two looks at a group that is being killed. */
const LOOK_MS = 10;

/**
 * Ends a group: end of input, then TERM, then KILL, with `graceMs` before each. Resolves when the group is gone, and at
 * the latest `graceMs` after KILL.
 */
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
  // A busy system may take a while to end what it was told to kill.
  for (const until = performance.now() + graceMs; isGroupRunning(child) && performance.now() < until; )
    await wait(LOOK_MS);
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

/** Whether a process of the group still runs. Windows has no groups. */
function isGroupRunning({ pid }: ChildProcess): boolean {
  if (pid === undefined || process.platform === "win32") return false;
  try {
    process.kill(-pid, 0);
  } catch {
    return false;
  }
  // Processes that have ended are in their group until their parent, or the container's first process, reaps them.
  return process.platform !== "linux" || readdirSync("/proc").some((entry) => isRunningIn(entry, pid));
}

/** Whether an entry of Linux' `/proc` is a process of the group that has not ended. */
function isRunningIn(entry: string, group: number): boolean {
  if (!/^\d+$/.test(entry)) return false;
  try {
    const [, state, owner] = /\) (\S) \d+ (\d+) [^)]*$/.exec(readFileSync(`/proc/${entry}/stat`, "utf8")) ?? [];
    return Number(owner) === group && state !== "Z" && state !== "X";
  } catch {
    return false; // it ended meanwhile
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
