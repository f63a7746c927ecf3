import { spawn } from "node:child_process";
import { killAtExit, resolveCommand, signalTree } from "@editwire/transport/node";
import { boundedOutput } from "./bounded-output.js";
import { childEnvironment } from "./environment.js";
import { ToolError } from "@editwire/ide-tools";
import { createRunMark } from "./stray-processes.js";

const KILL_AFTER_MS = 1000;
const DRAIN_MS = 1000;

/** How a program is run. */
export interface RunOptions {
  readonly cwd: string;
  /** Milliseconds until it is ended. */
  readonly timeoutMs: number;
  /** Ends it, together with everything that it started. */
  readonly signal: AbortSignal;
}

/** How a program ended, and what it wrote. */
export interface RunResult {
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  /** The end in words, such as `Exit code 0`. */
  readonly end: string;
  /** Both outputs in the order of arrival; of a long one the beginning and the end. */
  readonly output: string;
}

/**
 * Runs a program in a process group of its own that ends with it, without a shell except for the batch files of
 * Windows. On Linux, processes that left the group end with it too. On Windows, what the program leaves behind when it
 * exits runs on. Throws a `ToolError` when it cannot be started, and the signal's reason, once everything has ended,
 * when that aborts.
 */
export async function runProcess(argv: readonly string[], { cwd, timeoutMs, signal }: RunOptions): Promise<RunResult> {
  signal.throwIfAborted();
  const mark = createRunMark();
  const [command = ""] = argv;
  const child = start(argv, { cwd, env: { ...childEnvironment(), ...mark.env } });
  const free = killAtExit(child);
  const output = boundedOutput();
  for (const name of ["stdout", "stderr"] as const) child[name].on("data", output.push);

  const endGroup = (name: NodeJS.Signals): void => void signalTree(child, name);
  const timers: NodeJS.Timeout[] = [];
  const stop = (): void => {
    endGroup("SIGTERM");
    timers.push(setTimeout(endGroup, KILL_AFTER_MS, "SIGKILL"));
  };
  let timedOut = false;
  let straysEnded = Promise.resolve();
  timers.push(setTimeout(() => ((timedOut = true), stop()), timeoutMs));
  signal.addEventListener("abort", stop, { once: true });

  try {
    const { exitCode, endedBy } = await new Promise<{ exitCode: number | null; endedBy: NodeJS.Signals | null }>(
      (resolve, reject) => {
        child.once("error", (cause) => reject(cannotRun(command, cause)));
        child.once("exit", () => {
          endGroup("SIGKILL");
          straysEnded = mark.endStrays();
          // A process that was not found may hold the pipes open for as long as it likes.
          timers.push(setTimeout(() => [child.stdout, child.stderr].forEach((stream) => stream.destroy()), DRAIN_MS));
        });
        child.once("close", (code, name) => resolve({ exitCode: code, endedBy: name }));
      },
    );
    await straysEnded;
    signal.throwIfAborted();
    const end = timedOut
      ? `Stopped after ${timeoutMs / 1000} s`
      : endedBy === null
        ? `Exit code ${exitCode}`
        : `Ended by ${endedBy}`;
    return { exitCode, end, output: output.text() };
  } finally {
    timers.forEach(clearTimeout);
    free();
    signal.removeEventListener("abort", stop);
  }
}

/** Starts a program. Throws for what can never be one, such as an empty name; a missing program emits `error` later. */
function start(argv: readonly string[], place: { cwd: string; env: Record<string, string> }) {
  try {
    const { file, args, windowsVerbatimArguments } = resolveCommand(argv, place);
    return spawn(file, args, {
      ...place,
      windowsVerbatimArguments,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
      detached: process.platform !== "win32",
    });
  } catch (cause) {
    throw cannotRun(argv[0] ?? "", cause as Error);
  }
}

function cannotRun(command: string, cause: Error): ToolError {
  return new ToolError(`Cannot run ${command}: ${cause.message}`, { cause });
}
