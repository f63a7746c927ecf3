import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { AcpErrorCode, type AcpParams, type TerminalExitStatus } from "@editwire/acp-schema";
import { RemoteError } from "@editwire/core";
import { startTimer } from "@editwire/core/timers";
import { callListener, checkOptions, type OptionKinds, unheardToStderr } from "@editwire/session";
import {
  type CommandPlace,
  killAtExit,
  resolveCommand,
  type ResolvedCommand,
  signalTree,
} from "@editwire/transport/node";
import type { AcpTerminals } from "../client/services.js";

/** How commands are run for an agent. */
export interface NodeTerminalsOptions {
  /** Bytes of output that a terminal keeps at most, whatever the agent asks for. Default 1 MiB. */
  maxOutputBytes?: number | undefined;
  /** Terminals that are not released. One more is refused. Default 32. */
  maxTerminals?: number | undefined;
  /**
   * Whether a shell runs what only a shell can run. `never` (default): such a command is refused, and the error says
   * so. `lines`: a `command` without `args` that is not a program is run by `/bin/sh`, on Windows by `cmd.exe`, as
   * several agents expect it (`npm test | tail`). A shell does what the line says, including what an agent copied into
   * it from a file name or a page. A command with `args` never meets a shell.
   */
  shell?: "never" | "lines" | undefined;
  /** Milliseconds from SIGTERM to SIGKILL. Default 2,000. */
  killGraceMs?: number | undefined;
  /** Called with each piece of output, for a view. */
  onOutput?: ((output: { sessionId: string; terminalId: string; text: string }) => void) | undefined;
}

const optionKinds: OptionKinds<NodeTerminalsOptions> = {
  maxOutputBytes: "number",
  maxTerminals: "number",
  shell: ["never", "lines"],
  killGraceMs: "number",
  onOutput: "function",
};

/** Milliseconds that output may still come after the command has ended, from what it left running. */
const lastOutputMs = 200;

/**
 * Runs commands on this machine, in a process group of their own: what a command started ends with it, and the command
 * ends with this process. No shell is used, except for whole lines where `shell` says so, and on Windows for `.cmd` and
 * `.bat` files, such as those that npm installs. Create one value for each client. Whether a command may run is decided
 * by `permission` before. Throws a `TypeError` for wrong options.
 */
export function nodeTerminals(options: NodeTerminalsOptions = {}): Required<AcpTerminals> {
  checkOptions("nodeTerminals", options, optionKinds);
  const terminals = new Map<string, Terminal>();
  const { maxTerminals = 32 } = options;
  const find = ({ sessionId, terminalId }: { sessionId: string; terminalId: string }): Terminal => {
    const terminal = terminals.get(terminalId);
    if (terminal?.sessionId === sessionId) return terminal;
    throw new RemoteError(AcpErrorCode.ResourceNotFound, "the terminal does not exist", { terminalId });
  };
  return {
    async create(params, { roots }) {
      if (roots.length === 0)
        throw new RemoteError(AcpErrorCode.ResourceNotFound, "the session does not exist", {
          sessionId: params.sessionId,
        });
      if (terminals.size >= maxTerminals)
        throw RemoteError.invalidRequest("too many terminals are open", { maxTerminals });
      const terminal = new Terminal(params, roots, options);
      terminals.set(terminal.id, terminal);
      try {
        await terminal.started;
      } catch (error) {
        terminals.delete(terminal.id);
        throw error;
      }
      return { terminalId: terminal.id };
    },
    async output(params) {
      const { output, exitStatus } = find(params);
      return { ...output.value, ...(exitStatus === undefined ? {} : { exitStatus }) };
    },
    waitForExit: (params) => find(params).exited,
    kill: async (params) => void (await find(params).kill()),
    async release(params) {
      const terminal = find(params);
      terminals.delete(terminal.id);
      await terminal.kill();
    },
    end(sessionId) {
      for (const terminal of terminals.values()) {
        if (sessionId !== undefined && terminal.sessionId !== sessionId) continue;
        terminals.delete(terminal.id);
        terminal.end();
      }
    },
  };
}

function cannotStart(
  { command, args = [] }: AcpParams<"terminal/create">,
  cwd: string | undefined,
  error: unknown,
): RemoteError {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const hint = isShellLine(command, args, cwd)
    ? ": command is not a program, and this client runs no shell lines; send the program and its args apart"
    : "";
  return RemoteError.invalidParams(`the command cannot be started${hint}`, { command, cwd, code });
}

/** One command. */
class Terminal {
  readonly id = randomUUID();
  readonly sessionId: string;
  readonly output: TerminalOutput;
  /** Rejects with a `RemoteError` for a command that cannot be started. */
  readonly started: Promise<void>;
  readonly exited: Promise<TerminalExitStatus>;
  exitStatus: TerminalExitStatus | undefined;
  readonly #child: ChildProcess;
  readonly #free: () => void;
  readonly #options: NodeTerminalsOptions;

  constructor(params: AcpParams<"terminal/create">, roots: readonly string[], options: NodeTerminalsOptions) {
    const { sessionId, command, args = [], env: added = [], cwd = roots[0], outputByteLimit = Infinity } = params;
    const env = { ...process.env, ...Object.fromEntries(added.map(({ name, value }) => [name, value])) };
    this.sessionId = sessionId;
    this.#options = options;
    this.output = new TerminalOutput(Math.min(outputByteLimit, options.maxOutputBytes ?? 1_048_576));
    try {
      const isLine = options.shell === "lines" && isShellLine(command, args, cwd);
      const place = { cwd, env };
      const found = isLine ? resolveShellLine(command, place) : resolveCommand([command, ...args], place);
      this.#child = spawn(found.file, found.args, {
        cwd,
        env,
        windowsVerbatimArguments: found.windowsVerbatimArguments,
        stdio: ["ignore", "pipe", "pipe"],
        detached: process.platform !== "win32",
        windowsHide: true,
      });
    } catch (error) {
      throw cannotStart(params, cwd, error);
    }
    this.#free = killAtExit(this.#child);
    this.#read(this.#child.stdout);
    this.#read(this.#child.stderr);
    this.started = this.#start(params, cwd);
    this.exited = this.#end();
  }

  /** Kills what is left of the command. */
  end(): void {
    this.#signal("SIGKILL");
    this.#free();
  }

  /** Ends the command, then what it left running. Resolves when the command has ended. */
  async kill(): Promise<void> {
    if (this.exitStatus === undefined) {
      this.#signal("SIGTERM");
      const stop = startTimer(this.#options.killGraceMs ?? 2_000, () => this.#signal("SIGKILL"));
      await this.exited;
      stop();
    }
    this.end();
  }

  /** Signals the command and what it started. */
  #signal(name: NodeJS.Signals): void {
    signalTree(this.#child, name);
  }

  async #start(params: AcpParams<"terminal/create">, cwd: string | undefined): Promise<void> {
    try {
      await once(this.#child, "spawn");
    } catch (error) {
      throw cannotStart(params, cwd, error);
    }
  }

  #end(): Promise<TerminalExitStatus> {
    const child = this.#child;
    return new Promise((resolve) => {
      const end = (): void => {
        const { exitCode, signalCode } = child;
        this.exitStatus = {
          ...(exitCode === null || exitCode < 0 ? {} : { exitCode }),
          ...(signalCode === null ? {} : { signal: signalCode }),
        };
        resolve(this.exitStatus);
      };
      child.once("error", end);
      child.once("exit", () => {
        const stop = startTimer(lastOutputMs, end);
        child.once("close", () => {
          stop();
          end();
        });
      });
    });
  }

  #read(stream: NodeJS.ReadableStream | null): void {
    const decoder = new StringDecoder("utf8");
    const { onOutput } = this.#options;
    const report = (error: unknown): void => unheardToStderr(error, "onOutput");
    const take = (text: string): void => {
      if (text === "") return;
      this.output.add(text);
      callListener(onOutput, report, { sessionId: this.sessionId, terminalId: this.id, text });
    };
    stream?.on("data", (chunk: Buffer) => take(decoder.write(chunk)));
    stream?.on("end", () => take(decoder.end()));
    stream?.on("error", () => {}); // the command has ended
  }
}

/** Characters that a shell interprets, or that separate its words. The name of a program rarely has one. */
const shellCharacters = /[\s|&;<>()$`"'*?~#%^]/;

/** True for a command without arguments that only a shell can run, such as `npm test | tail`. */
function isShellLine(command: string, args: readonly string[], cwd: string | undefined): boolean {
  return args.length === 0 && shellCharacters.test(command) && !existsSync(resolve(cwd ?? "", command));
}

/** How the shell of this system runs a line: `/bin/sh`, or `cmd.exe` on Windows. */
function resolveShellLine(line: string, place: CommandPlace): ResolvedCommand {
  if (process.platform !== "win32") return resolveCommand(["/bin/sh", "-c", line], place);
  const file = process.env["ComSpec"] ?? "cmd.exe";
  return { file, args: ["/d", "/s", "/c", `"${line}"`], windowsVerbatimArguments: true };
}

/** The last bytes of what a command wrote, cut between two characters. */
export class TerminalOutput {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #truncated = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The kept output, and whether its beginning was dropped. */
  get value(): { output: string; truncated: boolean } {
    return { output: Buffer.concat(this.#chunks).toString("utf8"), truncated: this.#truncated };
  }

  add(text: string): void {
    const chunk = Buffer.from(text, "utf8");
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes > this.#maxBytes) this.#dropFrom(this.#chunks[0] ?? chunk);
  }

  /** Drops the whole first chunk, or as much of it as is too much. */
  #dropFrom(first: Uint8Array): void {
    this.#truncated = true;
    let dropped = Math.min(this.#bytes - this.#maxBytes, first.length);
    while (isInsideCharacter(first[dropped])) dropped += 1;
    if (dropped === first.length) this.#chunks.shift();
    else this.#chunks[0] = first.subarray(dropped);
    this.#bytes -= dropped;
  }
}

/** True for the bytes of a character after its first one. */
function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}
