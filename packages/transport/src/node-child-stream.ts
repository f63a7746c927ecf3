import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { WireError } from "@editwire/core/errors";
import type { ByteStream, ByteStreamEvents } from "./byte-stream.js";
import { processGroup } from "./node-process-group.js";
import { StderrTail, tellingLine } from "./node-stderr.js";

/** What a close error's `data` says about a child process that exited. */
export interface ChildExit {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The tail of what it wrote to stderr. */
  readonly stderr: string;
}

interface ChildStreamOptions {
  readonly pid: number;
  /** How errors call the child. */
  readonly name: string;
  readonly graceMs: number;
  readonly stderrTailBytes: number;
  readonly onStderr: (text: string) => void;
}

/** Milliseconds without a byte after which an exited child's pipes count as read out, although somebody holds them open. */
const quietMs = 50;
/** How often more is read from them before what comes cannot be the child's own any more. */
const maxRounds = 20;

/** Makes a `ByteStream` of a child's stdin and stdout. It closes when the child has exited and its last bytes are read. */
export function childByteStream(child: ChildProcessWithoutNullStreams, options: ChildStreamOptions): ByteStream {
  const { name, graceMs } = options;
  const { stdin, stdout, stderr } = child;
  const group = processGroup(child, options.pid);
  const tail = new StderrTail(options.stderrTailBytes);
  let events: ByteStreamEvents;
  let exit: Pick<ChildExit, "exitCode" | "signal"> | undefined;
  let over = false;
  /** The child closed its stdin: what is sent goes nowhere. */
  let deaf = false;
  let flowing = false;
  let quiet = false;
  let rounds = 0;
  let kills = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const letGo = (reason: WireError): void => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    for (const pipe of [stdin, stdout, stderr]) pipe.destroy();
    events.closed(reason);
  };

  const exited = (): WireError => {
    const { exitCode = null, signal = null } = exit ?? {};
    const data: ChildExit = { exitCode, signal, stderr: tail.text() };
    const how = signal === null ? `exited with code ${exitCode}` : `was killed by ${signal}`;
    const fault = kills === 0 ? "" : deaf ? " after it closed its stdin" : " after it did not exit in time";
    const line = exitCode === 0 ? undefined : tellingLine(data.stderr);
    return new WireError("closed", `${name} ${how}${fault}${line === undefined ? "" : `: ${line}`}`, { data });
  };

  /** SIGTERM, then SIGKILL; a child that survives both is left alone. */
  const kill = (): void => {
    clearTimeout(timer);
    kills += 1;
    if (kills > 2) return letGo(new WireError("closed", `${name} cannot be ended`, { data: { pid: options.pid } }));
    group.signal(kills === 1 ? "SIGTERM" : "SIGKILL");
    timer = setTimeout(kill, graceMs);
  };

  /** Runs after the exit. Between two runs all that the pipes hold is read, so silence means that they are empty. */
  const letGoWhenQuiet = (): void => {
    if (flowing) rounds += 1;
    if (flowing && (quiet || rounds > maxRounds)) letGo(exited());
    quiet = flowing;
  };

  return {
    open(listener) {
      events = listener;
      stdin
        .on("drain", () => listener.drain())
        .on("error", () => {
          deaf = true;
          if (exit === undefined) timer ??= setTimeout(kill, graceMs);
        });
      // Node resumes the stdout of a child that exits, paused or not: without a listener its last words would be lost.
      stdout.pause().on("data", (chunk: Buffer) => {
        quiet = false;
        events.data(chunk);
      });
      const end = (): void => listener.end();
      stdout
        .on("error", () => {})
        .on("close", end)
        .on("end", end);
      stderr
        .setEncoding("utf8")
        .on("error", () => {})
        .on("data", (text: string) => {
          quiet = false;
          tail.add(text);
          options.onStderr(text);
        });
      child.on("error", () => {}); // A signal that could not be sent.
      child.on("exit", (exitCode, signal) => {
        exit = { exitCode, signal };
        group.leaderExited(graceMs);
        clearTimeout(timer);
        if (!over) timer = setInterval(letGoWhenQuiet, quietMs);
      });
      child.on("close", () => letGo(exited()));
    },
    write: (bytes) => deaf || stdin.write(bytes),
    pause() {
      flowing = quiet = false;
      stdout.pause();
    },
    resume() {
      flowing = true;
      stdout.resume();
    },
    end: () => void stdin.end(),
    destroy() {
      if (exit !== undefined) letGo(exited());
      else if (kills === 0) kill();
    },
  };
}
