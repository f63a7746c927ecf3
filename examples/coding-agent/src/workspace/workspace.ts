import { realpath, stat } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { ToolError } from "../errors.js";
import { isInside, realPathOf } from "./confine.js";
import { readText, writeText } from "./files.js";
import { walk } from "./walk.js";

/**
 * The folder that a session works in. Nothing outside of it is read or written, by any path or link; on Linux also when
 * another process replaces a folder with a link at the same time.
 */
export interface Workspace {
  /** The folder as the client gave it. */
  readonly cwd: string;
  /** Its real path. */
  readonly root: string;
  /** A path as an editor shows it: absolute, below `cwd`. */
  absolute(path: string): string;
  /** Reads a text file. Throws a `ToolError` for a path outside, and for what is no text file of up to 1 MiB. */
  read(path: string): Promise<string>;
  /** Like `read`; `undefined` when the file does not exist. */
  readIfPresent(path: string): Promise<string | undefined>;
  /** Writes a text file. Throws a `ToolError` for a path outside or in `.git`. */
  write(path: string, text: string): Promise<void>;
  /** Checks that `write` may write there. */
  checkWritable(path: string): Promise<void>;
  /** Lists the files below a folder, or the one file, as paths from the root with forward slashes. */
  list(path: string, signal: AbortSignal): Promise<string[]>;
}

/** Opens a folder. Throws a `ToolError` when it does not exist. */
export async function openWorkspace(cwd: string): Promise<Workspace> {
  const root = await realpath(cwd).catch(() => undefined);
  if (root === undefined || !(await stat(root)).isDirectory()) throw new ToolError(`There is no folder ${cwd}`);

  const confined = async (path: string): Promise<string> => {
    if (path.includes("\0")) throw new ToolError("A path cannot contain a null character");
    const real = await realPathOf(resolve(cwd, path));
    if (!isInside(root, real)) throw new ToolError(`${path} is outside of the workspace`);
    return real;
  };

  /** Git runs what lies in `.git/hooks`, so a file there would be a way around the question before a command. */
  const writable = async (path: string): Promise<string> => {
    const real = await confined(path);
    if (relative(root, real).toLowerCase().split(sep).includes(".git"))
      throw new ToolError(`${path} belongs to Git and is not written`);
    return real;
  };

  const readIfPresent = async (path: string): Promise<string | undefined> => {
    return readText({ root, real: await confined(path), path });
  };

  return {
    cwd,
    root,
    absolute: (path) => resolve(cwd, path),
    readIfPresent,
    async read(path) {
      const text = await readIfPresent(path);
      if (text === undefined) throw new ToolError(`There is no file ${path}`);
      return text;
    },
    async write(path, text) {
      await writeText({ root, real: await writable(path), path }, text);
    },
    async checkWritable(path) {
      await writable(path);
    },
    async list(path, signal) {
      const real = await confined(path);
      if (!(await exists(real))) throw new ToolError(`There is no file or folder ${path}`);
      const way = relative(root, real).split(sep).join("/");
      return (await stat(real)).isDirectory() ? walk(root, way, signal) : [way];
    },
  };
}

/** The path of a `file:` URI; `undefined` for any other. */
export function pathOfUri(uri: string): string | undefined {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
