import { type ChildProcess, spawn } from "node:child_process";
import type { Trace } from "../trace/trace.js";
import { byteLink } from "./byte-link.js";
import { type Ended, type Target, TargetError } from "./link.js";
import type { PipeEnd } from "./pipe.js";

/** A command to start, without a shell. */
export interface StdioCommand {
  readonly argv: readonly string[];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** A target that the suite starts and talks to over stdin and stdout. It is ended as a process group: EOF, TERM, KILL. */
export function stdioTarget({ argv, cwd, env = {} }: StdioCommand): Target {
  const [command, ...args] = argv;
  if (command === undefined) throw new TargetError("no command to start");
  const description = argv.join(" ");
  return {
    transport: "stdio",
    description,
    async open(options) {
      const child = spawn(command, args, {
        cwd,
        env: { ...process.env, ...env, ...options.env },
        stdio: ["pipe", "pipe", "pipe"],
        detached: process.platform !== "win32",
        windowsHide: true,
      });
      await started(child, description);
      options.trace.add({ kind: "event", from: "suite", name: "open", data: { command: argv, pid: child.pid } });
      const gone = watch(child, options.trace);
      return byteLink(pipeOf(child), { transport: "stdio", gone, close: () => end(child, gone, options.graceMs) }, options);
    },
  };
}

function started(child: ChildProcess, description: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error) => reject(new TargetError(`cannot start \`${description}\`: ${error.message}`, { cause: error })));
  });
}

/** Resolves when the process is over and has nothing more to say. */
function watch(child: ChildProcess, trace: Trace): Promise<Ended> {
  child.stderr?.on("data", (chunk: Buffer) => trace.add({ kind: "stderr", from: "target", text: chunk.toString("utf8") }));
  return new Promise((resolve) => {
    child.once("exit", (code, killedBy) => {
      const reason = killedBy === null ? `the target exited with code ${code}` : `the target was ended by ${killedBy}`;
      // What it started and left behind is in the same group, and must not outlive it.
      signal(child, "SIGKILL");
      const finish = (): void => {
        trace.add({ kind: "event", from: "target", name: "exit", data: { code, signal: killedBy } });
        resolve({ reason, code, signal: killedBy });
      };
      // A grandchild may hold the pipes open for ever: what was written before the exit is here soon, or not at all.
      const patience = setTimeout(finish, 100);
      child.once("close", () => {
        clearTimeout(patience);
        finish();
      });
    });
  });
}

function pipeOf(child: ChildProcess): PipeEnd {
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new TargetError("the target has no stdin or stdout");
  // A target that exits while the suite writes is reported by its exit, not by EPIPE.
  stdin.on("error", () => {});
  stdout.on("error", () => {});
  return {
    listen({ data, end }) {
      stdout.on("data", data);
      stdout.once("end", end);
    },
    write: (chunk) => void stdin.write(chunk),
    end: () => void stdin.end(),
    destroy() {
      stdin.destroy();
      stdout.destroy();
    },
  };
}

async function end(child: ChildProcess, gone: Promise<Ended>, graceMs: number): Promise<void> {
  child.stdin?.end();
  if (!(await within(gone, graceMs))) {
    signal(child, "SIGTERM");
    if (!(await within(gone, graceMs))) {
      signal(child, "SIGKILL");
      await within(gone, 2_000);
    }
  }
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // The group is gone already.
  }
}

function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    void promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
