import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { WireError } from "@editwire/core/errors";
import which from "which";

/** A command with its arguments, and where it was to be started. */
export interface FailedStart {
  readonly argv: readonly [string, ...string[]];
  /** The working directory. */
  readonly cwd: string;
  /** The folders in which the command is looked up. */
  readonly path: string;
}

/** The error of a process that could not be started. It names what the user can mend. */
export function startError(cause: NodeJS.ErrnoException, start: FailedStart): WireError {
  const { argv, cwd } = start;
  return new WireError("not_connected", `cannot start "${argv[0]}" in "${cwd}": ${reasonOf(cause, start)}`, { cause });
}

function reasonOf({ code, message }: NodeJS.ErrnoException, start: FailedStart): string {
  if (!existsSync(start.cwd)) return "the folder does not exist";
  if (code === "ENOENT") return missingReason(start);
  return code === "EACCES" && process.platform !== "win32" ? permissionReason(start) : message;
}

function missingReason(start: FailedStart): string {
  const [command, ...args] = start.argv;
  if (process.platform !== "win32" && fileOf(command, start) !== undefined)
    return "the interpreter that its first line names does not exist";
  const [program = "", ...rest] = command.trim().split(/\s+/);
  const isLine = args.length === 0 && rest.length > 0 && isProgram(program, start);
  return isLine
    ? `no such command; words are separate arguments: ${JSON.stringify([program, ...rest])}`
    : "no such command";
}

function permissionReason(start: FailedStart): string {
  if (!canEnter(start.cwd)) return "the permission to enter the folder is missing";
  const file = fileOf(start.argv[0], start);
  if (file === undefined) return "the permission to read its folder is missing";
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) return "it is a folder";
  return `the permission to execute it is missing; chmod +x "${file}" adds it`;
}

const isPath = (command: string): boolean => /[\\/]/.test(command);

function isProgram(command: string, { cwd, path }: FailedStart): boolean {
  return which.sync(isPath(command) ? resolve(cwd, command) : command, { path, nothrow: true }) !== null;
}

/** The file that a command names, whether or not it can be executed. */
function fileOf(command: string, { cwd, path }: FailedStart): string | undefined {
  const folders = isPath(command) ? [cwd] : path.split(delimiter);
  return folders.map((folder) => resolve(cwd, folder, command)).find((file) => existsSync(file));
}

function canEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
