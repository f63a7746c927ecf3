import { spawn } from "node:child_process";
import { basename } from "node:path";
import type { WireError } from "@editwire/core/errors";
import type { Codec } from "@editwire/framing";
import type { ByteStream } from "../stream/byte-stream.js";
import { type ByteStreamOptions, byteStreamTransport, defaultCloseTimeoutMs } from "../stream/transport.js";
import { childByteStream } from "./child-stream.js";
import { checkCommand, pathOf, resolveCommand } from "./command.js";
import { startError } from "./start-error.js";
import type { Transport } from "../transport.js";

/** How a child process is started, read and ended. */
export interface SpawnOptions extends Omit<ByteStreamOptions, "closeTimeoutMs"> {
  /** The child's working directory. Default: this process' own. */
  cwd?: string | undefined;
  /** Environment variables that are added to this process' own; `undefined` removes one. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** False gives the child `env` and nothing else. Default true. */
  inheritEnv?: boolean | undefined;
  /**
   * Called with what the child writes to stderr, in whole characters. It must not throw: as with any listener of a
   * stream, nobody catches that.
   */
  onStderr?: ((text: string) => void) | undefined;
  /** Bytes of stderr that are kept for the close error. Default 8 KiB. */
  stderrTailBytes?: number | undefined;
  /** Milliseconds from the end of stdin to SIGTERM, and from there to SIGKILL. Default 2,000. */
  graceMs?: number | undefined;
}

/** A transport whose other end is a child process. */
export interface ChildTransport extends Transport {
  /** The child's process id; absent when it could not be started. */
  readonly pid: number | undefined;
}

/**
 * Starts `argv` (a command and its arguments) and moves messages over its stdin and stdout. No shell is used, except on
 * Windows for `.cmd` and `.bat` files, such as those that npm installs; see `resolveCommand`.
 * The close reason says how the child ended (`data` is a `ChildExit`), or is `not_connected` when it could not be
 * started. The child leads a process group of its own, so a Ctrl-C at the terminal does not reach it. It is ended as
 * that group: its stdin ends, then SIGTERM, then SIGKILL; what it leaves behind when it exits is ended too, and the
 * group ends with this process (see `killAtExit`). Windows has neither groups nor SIGTERM: when the time after the end
 * of stdin is over, `taskkill` ends the child and what it started. Processes that a child leaves behind there when it
 * exits run on. Throws a `TypeError` without a command, and what `child_process.spawn` and `resolveCommand` throw for
 * arguments that they refuse.
 */
export function spawnTransport(argv: readonly string[], codec: Codec, options: SpawnOptions = {}): ChildTransport {
  checkCommand("spawnTransport", argv);
  const {
    cwd,
    env,
    inheritEnv = true,
    onStderr = () => {},
    stderrTailBytes = 8 * 1024,
    graceMs = defaultCloseTimeoutMs,
  } = options;
  const childEnv = inheritEnv ? { ...process.env, ...env } : { ...env };
  const { file, args, windowsVerbatimArguments } = resolveCommand(argv, { cwd, env: childEnv });
  const child = spawn(file, args, {
    cwd,
    env: childEnv,
    windowsVerbatimArguments,
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const { pid } = child;
  const program =
    pid === undefined
      ? undefined
      : childByteStream(child, { pid, name: basename(argv[0]), argv, graceMs, stderrTailBytes, onStderr });
  const start = { argv, cwd: cwd ?? process.cwd(), path: pathOf(childEnv) };
  const stream = program ?? unstarted((listener) => child.once("error", (error) => listener(startError(error, start))));
  const transport = byteStreamTransport(stream, codec, { ...options, closeTimeoutMs: graceMs });
  return Object.assign(transport, { pid, program });
}

/** The stream of a process that could not be started: it closes with the reason. */
function unstarted(onError: (listener: (reason: WireError) => void) => void): ByteStream {
  const nothing = (): void => {};
  return {
    open: (events) => onError((reason) => events.closed(reason)),
    write: () => true,
    pause: nothing,
    resume: nothing,
    end: nothing,
    destroy: nothing,
  };
}
