import type { ChildProcess } from "node:child_process";
import type { Trace } from "../trace/trace.js";
import { byteLink } from "./byte-link.js";
import { type Ended, floodEnd, type Target, TargetError } from "./link.js";
import type { PipeEnd } from "./pipe.js";
import { endGroup, startGroup, type StdioCommand } from "./process-group.js";

/**
 * A target that the suite starts and talks to over stdin and stdout. Its process group is ended by end of input, TERM,
 * KILL.
 */
export function stdioTarget({ argv, cwd, env = {} }: StdioCommand): Target {
  return {
    transport: "stdio",
    description: argv.join(" "),
    async open(options) {
      const child = await startGroup({ argv, cwd, env: { ...env, ...options.env } }, options);
      const owner = {
        transport: "stdio",
        gone: exitOf(child, options.trace),
        close: () => endGroup(child, options.graceMs),
      };
      return byteLink(childPipe(child), owner, options);
    },
  };
}

/** How long output that was written before an exit may take to arrive. */
const DRAIN_MS = 100;

/** Resolves when the process is over and has nothing more to say. */
export function exitOf(child: ChildProcess, trace: Trace): Promise<Ended> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      const reason = signal === null ? `the target exited with code ${code}` : `the target was ended by ${signal}`;
      const finish = (): void => {
        clearTimeout(patience);
        child.off("close", finish);
        trace.add({ kind: "event", from: "target", name: "exit", data: { code, signal } });
        resolve(trace.isFlooded ? floodEnd : { reason, code, signal });
      };
      const patience = setTimeout(finish, DRAIN_MS);
      child.once("close", finish);
    });
  });
}

/** The stdin and stdout of a process as one end of a pipe. */
export function childPipe({ stdin, stdout }: ChildProcess): PipeEnd {
  if (stdin === null || stdout === null) throw new TargetError("the target has no stdin or stdout");
  return {
    listen({ data, end }) {
      stdout.on("data", data);
      stdout.once("end", end);
    },
    write: (chunk) => void (stdin.writable && stdin.write(chunk)),
    end: () => void stdin.end(),
    destroy() {
      stdin.destroy();
      stdout.destroy();
    },
  };
}
