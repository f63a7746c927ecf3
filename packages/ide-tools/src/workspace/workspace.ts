import { realpath, stat } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import { systemError, ToolError } from "../errors.js";
import { runJob } from "../jobs/run-job.js";
import { isInside, realPathOf } from "./confine.js";
import { bytesOf, utf8Of, type WriteMode, writeBytes } from "./files.js";
import { readBytes, tooLarge } from "./read.js";

/** Files that one listing gives at most. */
const maxListed = 20_000;

/**
 * A folder to work in. Nothing outside of it is read or written, by any path or link; on Linux also when another
 * process replaces a folder with a link at the same time. The folder of a path may be given as an absolute path.
 */
export interface Workspace {
  /** The folder as it was given. */
  readonly cwd: string;
  /** Its real path. */
  readonly root: string;
  /** A path as an editor shows it: absolute, below `cwd`. */
  absolute(path: string): string;
  /** Reads a UTF-8 file. Throws a `ToolError` for a path outside, and for what is not a text file or too large. */
  read(path: string): Promise<string>;
  /** Like `read`; `undefined` when the file does not exist. */
  readIfPresent(path: string): Promise<string | undefined>;
  /** Reads any file; `undefined` when it does not exist. Throws a `ToolError` as `read` does. */
  readBytes(path: string): Promise<Uint8Array | undefined>;
  /**
   * Writes a file, text in UTF-8, and replaces it in one step. Throws a `ToolError` for a path outside or in `.git`,
   * for a file that nobody may write or that is not as `mode` expects it, and for text that could not be read back.
   */
  write(path: string, content: string | Uint8Array, mode?: WriteMode): Promise<void>;
  /** Checks that `write` may write there, and gives the real path. */
  checkWritable(path: string): Promise<string>;
  /** Says whether a file may be listed, read and written, by its real path from the root with forward slashes. */
  admits(path: string): boolean;
  /** The real path of a file or folder from the root, with forward slashes. Throws a `ToolError` for a path outside. */
  locate(path: string): Promise<string>;
  /**
   * Lists the files below a folder, or the one file, as sorted paths from the root with forward slashes; at most
   * 20,000. `.git`, `node_modules` and what a `.gitignore` names are left out.
   */
  list(path: string, signal: AbortSignal): Promise<string[]>;
}

/** Limits of a workspace. */
export interface WorkspaceOptions {
  /**
   * Says whether a file may be listed, read and written, by its real path from the root with forward slashes. Default:
   * every file.
   */
  readonly admits?: ((path: string) => boolean) | undefined;
  /** Bytes of the largest file that is read or written. Default 1 MiB. */
  readonly maxFileBytes?: number | undefined;
}

/** Opens a folder, to which all access is confined. Throws a `ToolError` if the folder does not exist. */
export async function openWorkspace(cwd: string, options: WorkspaceOptions = {}): Promise<Workspace> {
  const root = await realpath(cwd).catch(() => undefined);
  if (root === undefined || !(await stat(root)).isDirectory())
    throw new ToolError(`The folder ${cwd} does not exist`, { code: "not_found", path: cwd });
  const { admits = () => true } = options;
  const confined = (path: string): Promise<string> => realPathIn(cwd, root, path);
  const admitted = async (path: string): Promise<string> => {
    const real = await confined(path);
    if (admits(wayFrom(root, real))) return real;
    throw new ToolError(`${path} is not among the files of this workspace`, { code: "outside", path });
  };
  const writable = async (path: string): Promise<string> => outsideGit(root, await admitted(path), path);
  const maxBytes = options.maxFileBytes ?? 1024 * 1024;

  const readBytesOf = async (path: string): Promise<Uint8Array | undefined> =>
    (await readBytes({ root, real: await admitted(path), path, maxBytes }))?.bytes;
  const readIfPresent = async (path: string): Promise<string | undefined> => {
    const bytes = await readBytesOf(path);
    return bytes === undefined ? undefined : utf8Of(path, bytes);
  };

  return {
    cwd,
    root,
    absolute: (path) => resolve(cwd, path),
    readBytes: readBytesOf,
    readIfPresent,
    async read(path) {
      const text = await readIfPresent(path);
      if (text === undefined) throw new ToolError(`The file ${path} does not exist`, { code: "not_found", path });
      return text;
    },
    async write(path, content, mode) {
      if (content.length > maxBytes) throw tooLarge(`The new content of ${path}`, maxBytes);
      const bytes = typeof content === "string" ? bytesOf(path, content) : content;
      await writeBytes({ root, real: await writable(path), path, maxBytes }, bytes, mode);
    },
    checkWritable: writable,
    admits,
    locate: async (path) => wayFrom(root, await confined(path)),
    async list(path, signal) {
      const real = await confined(path);
      const info = await stat(real).catch(() => undefined);
      if (info === undefined) throw new ToolError(`${path} does not exist`, { code: "not_found", path });
      const way = wayFrom(root, real);
      return info.isDirectory() ? listFolder(root, way, admits, signal) : [way].filter(admits);
    },
  };
}

async function realPathIn(cwd: string, root: string, path: string): Promise<string> {
  if (path.includes("\0")) throw new ToolError("A path cannot contain a null character", { code: "outside", path });
  const real = await realPathOf(resolve(cwd, path)).catch((error: unknown) => {
    throw systemError(error, path, "open");
  });
  if (real === undefined) throw new ToolError(`${path} is a link that leads nowhere`, { code: "outside", path });
  if (!isInside(root, real)) throw new ToolError(`${path} is outside the workspace`, { code: "outside", path });
  return real;
}

/** Git runs what lies in `.git/hooks`, so a file there would be a way around the question before a command. */
function outsideGit(root: string, real: string, path: string): string {
  if (relative(root, real).toLowerCase().split(sep).includes(".git"))
    throw new ToolError(`${path} belongs to Git and is not written`, { code: "unwritable", path });
  return real;
}

function wayFrom(root: string, real: string): string {
  return relative(root, real).split(sep).join("/");
}

async function listFolder(
  root: string,
  folder: string,
  admits: (path: string) => boolean,
  signal: AbortSignal,
): Promise<string[]> {
  const files: string[] = [];
  const take = (paths: readonly string[]): boolean =>
    paths.every((path) => files.length < maxListed && (!admits(path) || files.push(path) > 0));
  await runJob("list", { root, folder }, { signal, onPart: take });
  return files.sort();
}
