import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { WireError } from "@editwire/core/errors";
import type { ByteStream, ByteStreamEvents } from "../stream/byte-stream.js";
import { type ProcessGroup, processGroup } from "./process-group.js";
import { StderrTail, tellingLine } from "./stderr.js";
import type { Program } from "../transport.js";

/** The `data` of a close error: how the child process exited. */
export interface ChildExit {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The tail of what it wrote to stderr. */
  readonly stderr: string;
}

interface ChildStreamOptions {
  readonly pid: number;
  /** The child's name in error messages. */
  readonly name: string;
  readonly argv: readonly string[];
  readonly graceMs: number;
  readonly stderrTailBytes: number;
  readonly onStderr: (text: string) => void;
}

/**
 * Milliseconds without a byte after which an exited child's pipes count as empty, although another process holds them
 * open.
 */
const quietMs = 50;
/** Rounds of reading after the exit. Output that arrives after them cannot be the child's own. */
const maxRounds = 20;
/** Characters of stdout that are kept for messages. */
const maxHead = 200;

/**
 * Makes a `ByteStream` of a child's stdin and stdout. It closes when the child has exited and its last bytes are read.
 */
export function childByteStream(
  child: ChildProcessWithoutNullStreams,
  options: ChildStreamOptions,
): ByteStream & Program {
  return new ChildByteStream(child, options);
}

class ChildByteStream implements ByteStream, Program {
  stdout = "";
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #options: ChildStreamOptions;
  readonly #group: ProcessGroup;
  readonly #tail: StderrTail;
  #events: ByteStreamEvents | undefined;
  #exit: Pick<ChildExit, "exitCode" | "signal"> | undefined;
  #over = false;
  /** The child closed its stdin: what is sent is lost. */
  #stdinClosed = false;
  #flowing = false;
  #quiet = false;
  #rounds = 0;
  #kills = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(child: ChildProcessWithoutNullStreams, options: ChildStreamOptions) {
    this.#child = child;
    this.#options = options;
    this.#group = processGroup(child);
    this.#tail = new StderrTail(options.stderrTailBytes);
  }

  get name(): string {
    return this.#options.name;
  }

  get argv(): readonly string[] {
    return this.#options.argv;
  }

  get stderr(): string {
    return this.#tail.text();
  }

  open(events: ByteStreamEvents): void {
    this.#events = events;
    this.#listenToStdin(events);
    this.#listenToStdout(events);
    this.#listenToStderr();
    this.#child.on("error", () => {}); // A signal that could not be sent.
    this.#child.on("exit", (exitCode, signal) => {
      this.#exit = { exitCode, signal };
      this.#group.leaderExited(this.#options.graceMs);
      clearTimeout(this.#timer);
      if (!this.#over) this.#timer = setInterval(() => this.#closeWhenQuiet(), quietMs);
    });
    this.#child.on("close", () => this.#close(this.#exitReason()));
  }

  write(data: Uint8Array | string): boolean {
    return this.#stdinClosed || this.#child.stdin.write(data);
  }

  pause(): void {
    this.#flowing = this.#quiet = false;
    this.#child.stdout.pause();
  }

  resume(): void {
    this.#flowing = true;
    this.#child.stdout.resume();
  }

  end(): void {
    this.#child.stdin.end();
  }

  destroy(): void {
    if (this.#exit !== undefined) this.#close(this.#exitReason());
    else if (this.#kills === 0) this.#kill();
  }

  #listenToStdin(events: ByteStreamEvents): void {
    this.#child.stdin
      .on("drain", () => events.drain())
      .on("error", () => {
        this.#stdinClosed = true;
        if (this.#exit === undefined) this.#timer ??= setTimeout(() => this.#kill(), this.#options.graceMs);
      });
  }

  #listenToStdout(events: ByteStreamEvents): void {
    const end = (): void => events.end();
    // Node resumes the stdout of a child that exits, paused or not: without a listener its last bytes would be lost.
    this.#child.stdout
      .pause()
      .on("data", (chunk: Buffer) => {
        this.#quiet = false;
        if (this.stdout.length < maxHead) this.stdout += chunk.toString("utf8", 0, maxHead - this.stdout.length);
        events.data(chunk);
      })
      .on("error", () => {})
      .on("close", end)
      .on("end", end);
  }

  #listenToStderr(): void {
    this.#child.stderr
      .setEncoding("utf8")
      .on("error", () => {})
      .on("data", (text: string) => {
        this.#quiet = false;
        this.#tail.add(text);
        this.#options.onStderr(text);
      });
  }

  /** Sends SIGTERM, then SIGKILL. A child that survives both is left alone. */
  #kill(): void {
    const { name, graceMs, pid } = this.#options;
    clearTimeout(this.#timer);
    this.#kills += 1;
    if (this.#kills > 2) return this.#close(new WireError("closed", `${name} cannot be ended`, { data: { pid } }));
    this.#group.signal(this.#kills === 1 ? "SIGTERM" : "SIGKILL");
    this.#timer = setTimeout(() => this.#kill(), graceMs);
  }

  /**
   * Runs after the exit. Between two runs, everything that the pipes hold is read, so silence means that they are
   * empty.
   */
  #closeWhenQuiet(): void {
    if (this.#flowing) this.#rounds += 1;
    if (this.#flowing && (this.#quiet || this.#rounds > maxRounds)) this.#close(this.#exitReason());
    this.#quiet = this.#flowing;
  }

  #close(reason: WireError): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    const { stdin, stdout, stderr } = this.#child;
    for (const pipe of [stdin, stdout, stderr]) pipe.destroy();
    this.#events?.closed(reason);
  }

  #exitReason(): WireError {
    const { exitCode = null, signal = null } = this.#exit ?? {};
    const data: ChildExit = { exitCode, signal, stderr: this.#tail.text() };
    const how = signal === null ? `exited with code ${exitCode}` : `was killed by ${signal}`;
    const line = exitCode === 0 ? undefined : tellingLine(data.stderr);
    const details = line === undefined ? "" : `: ${line}`;
    return new WireError("closed", `${this.#options.name} ${how}${this.#fault()}${details}`, { data });
  }

  /** Why this side ended the child, if it did. */
  #fault(): string {
    if (this.#kills === 0) return "";
    return this.#stdinClosed ? " after it closed its stdin" : " after it did not exit in time";
  }
}
