import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { lstat, open, rename, rm } from "node:fs/promises";
import { isSystemError, ToolError } from "../errors.js";
import { type Folder, openFolder, placeOf } from "./folder.js";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** A file of the workspace. */
export interface FilePlace {
  /** Real path of the workspace. */
  readonly root: string;
  /** Real path of the file, below the root. */
  readonly real: string;
  /** The path as it was given, for messages. */
  readonly path: string;
  /** Bytes of the largest file that is read or written. */
  readonly maxBytes: number;
}

/**
 * Reads a file; `undefined` when there is none. Throws a `ToolError` for what is not a regular file, is too large, or
 * was replaced by a link after its real path was found.
 */
export async function readBytes(place: FilePlace): Promise<Uint8Array | undefined> {
  const { folders, name } = placeOf(place.root, place.real);
  if (name === "") throw folderError(place.path);
  try {
    const folder = await openFolder(place.root, folders);
    try {
      return await readIn(folder, name, place);
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT") return undefined;
    throw describe(error, `Cannot read ${place.path}`);
  }
}

async function readIn(folder: Folder, name: string, { path, maxBytes }: FilePlace): Promise<Uint8Array> {
  // O_NONBLOCK, because opening a pipe would wait for a writer.
  const file = await open(folder.pathOf(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    checkReadable(await file.stat(), path, maxBytes);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function checkReadable(info: Stats, path: string, maxBytes: number): void {
  if (info.isDirectory()) throw folderError(path);
  if (!info.isFile()) throw new ToolError(`${path} is not a regular file`, { code: "not_regular" });
  if (info.size > maxBytes)
    throw new ToolError(`${path} has ${info.size} bytes; files of up to ${maxBytes} bytes can be read`, {
      code: "too_large",
    });
}

/** Where an open file is; elsewhere than on Linux, where its path leads at this moment. */
function pathOfOpened(file: number, path: string): string {
  return process.platform === "linux" ? readlinkSync(`/proc/self/fd/${file}`) : realpathSync.native(path);
}

/**
 * Reads a file of a walk in a worker, where blocking calls take a fraction of the time; `undefined` when there is none.
 * Instead of opening folder by folder it checks where the file is that it opened. Throws as
 * `readBytes` does.
 */
export function readBytesSync({ real, path, maxBytes }: Omit<FilePlace, "root">): Uint8Array | undefined {
  try {
    const file = openSync(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const info = fstatSync(file);
      checkReadable(info, path, maxBytes);
      if (pathOfOpened(file, real) !== real) return undefined;
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT") return undefined;
    throw describe(error, `Cannot read ${path}`);
  }
}

/** Text of a file in UTF-8, byte order mark and line ends included. Throws a `ToolError` for any other content. */
export function utf8Of(path: string, bytes: Uint8Array): string {
  if (bytes.includes(0)) throw new ToolError(`${path} is a binary file`, { code: "binary" });
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolError(`${path} is not UTF-8 text`, { code: "encoding" });
  }
}

/** Whether a file may exist before it is written. */
export interface WriteMode {
  /** Fail with a `ToolError` when there is a file, also one that another process creates at this moment. */
  readonly createOnly?: boolean | undefined;
}

/**
 * Replaces or creates a file in one step, keeps its permissions, and creates the folders above it. Throws a `ToolError`
 * for too many bytes, and when a folder was replaced by a link after the real path was found.
 */
export async function writeBytes(place: FilePlace, bytes: Uint8Array, mode: WriteMode = {}): Promise<void> {
  const { root, real, path, maxBytes } = place;
  if (bytes.length > maxBytes)
    throw new ToolError(
      `The new content of ${path} has ${bytes.length} bytes; files of up to ${maxBytes} bytes can be written`,
      { code: "too_large" },
    );
  const { folders, name } = placeOf(root, real);
  if (name === "") throw folderError(path);
  try {
    const folder = await openFolder(root, folders, { create: true });
    try {
      await replaceIn(folder, name, bytes, mode);
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (mode.createOnly === true && isSystemError(error) && error.code === "EEXIST")
      throw new ToolError(`${path} already exists`, { code: "exists" });
    throw describe(error, `Cannot write ${path}`);
  }
}

async function replaceIn(folder: Folder, name: string, bytes: Uint8Array, { createOnly }: WriteMode): Promise<void> {
  const target = folder.pathOf(name);
  const draft = folder.pathOf(`.${randomUUID()}.tmp`);
  const before = await lstat(target).catch(() => undefined);
  try {
    const file = await open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    try {
      await file.writeFile(bytes);
      if (before?.isFile() === true) await file.chmod(before.mode & 0o777);
    } finally {
      await file.close();
    }
    // Reserves the name, because renaming would replace a file that somebody else creates meanwhile.
    if (createOnly === true) await (await open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)).close();
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function folderError(path: string): ToolError {
  return new ToolError(`${path} is a folder`, { code: "folder" });
}

/** Replaces a system error by one that names the file as the user knows it. */
export function describe(error: unknown, what: string): unknown {
  if (!isSystemError(error)) return error;
  const [reason = error.message] = error.message.split(`, ${error.syscall}`);
  return new ToolError(`${what}: ${reason}`, { cause: error });
}
