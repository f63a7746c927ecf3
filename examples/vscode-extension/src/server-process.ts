import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { killAtExit, resolveCommand, signalTree } from "@editwire/transport/node";

/** Milliseconds that the processes have to end after SIGTERM. */
const killAfterMs = 2_000;
const shownLines = 5;
const keptChars = 4_000;

/** A server's process, and all that it starts. */
export interface ServerProcess {
  readonly streams: ChildProcessWithoutNullStreams;
  /**
   * Resolves, never rejects, with what happened in words for the user, once the process has ended or could not be
   * started.
   */
  readonly ended: Promise<string>;
  /**
   * Ends the process group: with SIGTERM, two seconds later with SIGKILL. On Windows, ends the processes immediately.
   */
  end(): void;
}

/** Starts a server in a process group of its own. `onLog` is called with what it writes to stderr. */
export function startProcess(argv: readonly string[], onLog: (text: string) => void): ServerProcess {
  const { file, args, windowsVerbatimArguments } = resolveCommand(argv);
  const child = spawn(file, args, {
    stdio: "pipe",
    windowsVerbatimArguments,
    windowsHide: true,
    detached: process.platform !== "win32",
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-keptChars);
    onLog(text);
  });
  const end = (): void => {
    signalTree(child, "SIGTERM");
    setTimeout(() => signalTree(child, "SIGKILL"), killAfterMs).unref();
  };
  const free = killAtExit(child); // a group of its own would outlive VS Code
  child.once("exit", () => {
    end(); // what the process started does not outlive it
    setTimeout(free, killAfterMs).unref();
  });
  return {
    streams: child,
    ended: once(child, "close").then(
      ([code, name]: (number | string | null)[]) => describeEnd(code, name, stderr),
      (error: NodeJS.ErrnoException) => describeStart(argv[0] ?? "", error),
    ),
    end,
  };
}

function describeStart(command: string, error: NodeJS.ErrnoException): string {
  const reason = error.code === "ENOENT" ? `The program "${command}" was not found.` : error.message;
  return `The server could not be started. ${reason} Check the setting "editwire.command".`;
}

function describeEnd(code: unknown, signal: unknown, stderr: string): string {
  const how =
    typeof signal === "string"
      ? `The server was ended from outside, by the signal ${signal}.`
      : code === 0
        ? "The server ended by itself."
        : `The server stopped because of an error (exit code ${String(code)}).`;
  const lines = stderr.trimEnd().split("\n").slice(-shownLines).join("\n");
  return `${how} The next prompt starts it again.${lines === "" ? "" : ` Its last output:\n${lines}`}`;
}
