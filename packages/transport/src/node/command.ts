import { resolve } from "node:path";
import which from "which";
import { batchCommandLine } from "./batch.js";

/** A command in the form that `child_process.spawn` starts without its `shell` option. */
export interface ResolvedCommand {
  /** The first argument of `spawn`. */
  readonly file: string;
  /** The second argument of `spawn`. */
  readonly args: string[];
  /** An option of `spawn`: true when `args` are escaped already. */
  readonly windowsVerbatimArguments: boolean;
}

/** Where a command is looked up and started. */
export interface CommandPlace {
  /** The folder that a relative path starts from. Default: this process' own. */
  readonly cwd?: string | undefined;
  /** The variables of the command, whose PATH is searched. Default: this process' own. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The extensions that Windows starts without the program of another file, in the order of its own search. */
const pathExt = ".COM;.EXE;.BAT;.CMD";

/**
 * Finds out how `[command, ...args]` is started on this system. Elsewhere than on Windows that is the command itself.
 *
 * On Windows, `spawn` starts only `.exe` and `.com` files, but npm installs commands as `.cmd` files. The command is
 * looked up as the system does: in this process' folder, then in PATH, with each extension. A `.cmd` or `.bat` file
 * becomes a command line for `cmd.exe`; every character that `cmd.exe` interprets is escaped in it, both for `cmd.exe`
 * and for the batch file, which passes its arguments on. Throws a `TypeError` without a command, and for what such a
 * command line cannot hold: an argument with a line break or a NUL character, and a path with `%NAME%` in it.
 */
export function resolveCommand(argv: readonly string[], { cwd = "", env }: CommandPlace = {}): ResolvedCommand {
  checkCommand("resolveCommand", argv);
  const [command, ...args] = argv;
  if (process.platform !== "win32") return { file: command, args, windowsVerbatimArguments: false };
  const path = pathOf(env);
  const wanted = /[\\/]/.test(command) ? resolve(cwd, command) : command;
  const found = which.sync(wanted, { path, pathExt, nothrow: true });
  // Node refuses the name of a batch file with EINVAL. The name of a missing program gives ENOENT.
  const file = found ?? (isBatchFile(command) ? `${command}.exe` : command);
  if (!isBatchFile(file)) return { file, args, windowsVerbatimArguments: false };
  const line = batchCommandLine(file, args);
  return {
    file: process.env["ComSpec"] ?? "cmd.exe",
    args: ["/d", "/s", "/c", `"${line}"`],
    windowsVerbatimArguments: true,
  };
}

/** The PATH in which a command is looked up. */
export function pathOf(env: CommandPlace["env"] = process.env): string {
  return variable(env, "PATH") ?? process.env["PATH"] ?? "";
}

const isBatchFile = (file: string): boolean => /\.(?:cmd|bat)$/i.test(file);

/** The value of a variable. Windows ignores the case of its name; of several spellings, Node passes on the first. */
function variable(env: NonNullable<CommandPlace["env"]>, name: string): string | undefined {
  const key = Object.keys(env)
    .sort()
    .find((known) => known.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}

/** Throws a `TypeError` for what is not a command and its arguments. `name` is the function that got it. */
export function checkCommand(name: string, argv: unknown): asserts argv is readonly [string, ...string[]] {
  if (Array.isArray(argv) && argv.every((word) => typeof word === "string") && argv[0]) return;
  const expected = 'a command and its arguments, such as ["my-agent", "--acp"]';
  throw new TypeError(`${name}: expected ${expected}, received ${JSON.stringify(argv)}`);
}
