import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, rename, rm } from "node:fs/promises";
import { isSystemError, ToolError } from "../errors.js";
import { type Folder, openFolder, placeOf } from "./folder.js";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** Bytes of the largest file that is read or written. */
export const MAX_FILE_BYTES = 1024 * 1024;

/** A file of the workspace. */
export interface FilePlace {
  /** Real path of the workspace. */
  readonly root: string;
  /** Real path of the file, below the root. */
  readonly real: string;
  /** The path as it was given, for messages. */
  readonly path: string;
}

/**
 * Reads a text file, byte order mark and line ends included; `undefined` when there is none. Throws a `ToolError` for
 * what is not a file, not UTF-8 text, larger than 1 MiB, or replaced by a link after its real path was found.
 */
export async function readText({ root, real, path }: FilePlace): Promise<string | undefined> {
  const { folders, name } = placeOf(root, real);
  try {
    const folder = await openFolder(root, folders);
    try {
      return await readIn(folder, name, path);
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT") return undefined;
    throw describe(error, `Cannot read ${path}`);
  }
}

async function readIn(folder: Folder, name: string, path: string): Promise<string> {
  // O_NONBLOCK, because opening a pipe would wait for a writer.
  const file = await open(folder.pathOf(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const info = await file.stat();
    if (!info.isFile())
      throw new ToolError(info.isDirectory() ? `${path} is a folder` : `${path} is not a regular file`);
    if (info.size > MAX_FILE_BYTES)
      throw new ToolError(`${path} has ${info.size} bytes; files of up to ${MAX_FILE_BYTES} bytes can be read`);
    return textOf(path, await file.readFile());
  } finally {
    await file.close();
  }
}

function textOf(path: string, bytes: Uint8Array): string {
  if (bytes.includes(0)) throw new ToolError(`${path} is a binary file`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolError(`${path} is not UTF-8 text`);
  }
}

/**
 * Replaces or creates a file in one step, keeps its permissions, and creates the folders above it. Throws a `ToolError`
 * for more than 1 MiB, and when a folder was replaced by a link after the real path was found.
 */
export async function writeText({ root, real, path }: FilePlace, text: string): Promise<void> {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_FILE_BYTES)
    throw new ToolError(
      `The new content of ${path} has ${bytes} bytes; files of up to ${MAX_FILE_BYTES} bytes can be written`,
    );
  const { folders, name } = placeOf(root, real);
  if (name === "") throw new ToolError(`${path} is a folder`);
  try {
    const folder = await openFolder(root, folders, { create: true });
    try {
      await replaceIn(folder, name, text);
    } finally {
      await folder.close();
    }
  } catch (error) {
    throw describe(error, `Cannot write ${path}`);
  }
}

async function replaceIn(folder: Folder, name: string, text: string): Promise<void> {
  const target = folder.pathOf(name);
  const draft = folder.pathOf(`.${randomUUID()}.tmp`);
  const before = await lstat(target).catch(() => undefined);
  try {
    const file = await open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    try {
      await file.writeFile(text);
      if (before?.isFile() === true) await file.chmod(before.mode & 0o777);
    } finally {
      await file.close();
    }
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Replaces a system error by one that names the file as the user knows it. */
function describe(error: unknown, what: string): unknown {
  if (!isSystemError(error)) return error;
  const [reason = error.message] = error.message.split(`, ${error.syscall}`);
  return new ToolError(`${what}: ${reason}`, { cause: error });
}
