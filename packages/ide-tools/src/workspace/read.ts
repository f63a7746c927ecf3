import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
} from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { isSystemError, systemError, ToolError } from "../errors.js";
import { type FilePlace, openFolder, placeOf } from "./folder.js";

// O_NONBLOCK, because opening a pipe that takes the file's place would wait for a writer.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The identity of a file's content when it was read. It changes with every write to the file. */
export type FileStamp = Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs" | "mode">;

/** A file as it was read. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  readonly stamp: FileStamp;
}

/**
 * Reads a file of the workspace; `undefined` when there is none. Nothing but a regular file of at most `maxBytes` is
 * opened. Throws a `ToolError` for anything else, and for a file that was replaced by a link after its real path was
 * found.
 */
export async function readBytes(place: FilePlace): Promise<ReadFile | undefined> {
  const { root, real, path } = place;
  const { folders, name } = placeOf(root, real);
  if (name === "") throw folderError(path);
  try {
    const folder = await openFolder(root, folders);
    try {
      return await readIn(folder.pathOf(name), place);
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT") return undefined;
    throw systemError(error, path, "read");
  }
}

/** Reads a file by a path through its open folder. Rejects with a system error, or with a `ToolError` as above. */
export async function readIn(
  file: string,
  { path, maxBytes }: Pick<FilePlace, "path" | "maxBytes">,
): Promise<ReadFile> {
  checkReadable(await lstat(file, { bigint: true }), path, maxBytes);
  const handle = await open(file, flags);
  try {
    const stamp = await handle.stat({ bigint: true });
    checkReadable(stamp, path, maxBytes);
    return { bytes: await readAll(handle, Number(stamp.size), { path, maxBytes }), stamp };
  } finally {
    await handle.close();
  }
}

/** Reads to the end of a file, which may grow meanwhile. */
async function readAll(
  file: FileHandle,
  size: number,
  { path, maxBytes }: Pick<FilePlace, "path" | "maxBytes">,
): Promise<Uint8Array> {
  let buffer: Buffer = Buffer.allocUnsafeSlow(size + 1);
  for (let length = 0; ; ) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > maxBytes) throw tooLarge(path, maxBytes);
    if (length === buffer.length) buffer = grown(buffer, maxBytes);
  }
}

/**
 * `readBytes` for workers, where blocking calls take a fraction of the time. Instead of opening folder by folder it
 * checks where the file is that it opened.
 */
export function readBytesSync({ real, path, maxBytes }: Omit<FilePlace, "root">): Uint8Array | undefined {
  try {
    checkReadable(lstatSync(real), path, maxBytes);
    const file = openSync(real, flags);
    try {
      const info = fstatSync(file);
      checkReadable(info, path, maxBytes);
      return pathOfOpened(file, real) === real ? readAllSync(file, info.size, { path, maxBytes }) : undefined;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT") return undefined;
    throw systemError(error, path, "read");
  }
}

function readAllSync(file: number, size: number, { path, maxBytes }: Pick<FilePlace, "path" | "maxBytes">): Uint8Array {
  let buffer: Buffer = Buffer.allocUnsafeSlow(size + 1);
  for (let length = 0; ; ) {
    const bytesRead = readSync(file, buffer, length, buffer.length - length, null);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > maxBytes) throw tooLarge(path, maxBytes);
    if (length === buffer.length) buffer = grown(buffer, maxBytes);
  }
}

function grown(buffer: Buffer, maxBytes: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.min(2 * buffer.length, maxBytes + 1));
  buffer.copy(larger);
  return larger;
}

interface Kind {
  readonly size: number | bigint;
  isDirectory(): boolean;
  isFile(): boolean;
}

function checkReadable(info: Kind, path: string, maxBytes: number): void {
  if (info.isDirectory()) throw folderError(path);
  if (!info.isFile()) throw new ToolError(`${path} is not a regular file`, { code: "not_regular", path });
  if (info.size > maxBytes) throw tooLarge(path, maxBytes);
}

/** Where an open file is; elsewhere than on Linux, where its path leads at this moment. */
function pathOfOpened(file: number, path: string): string {
  return process.platform === "linux" ? readlinkSync(`/proc/self/fd/${file}`) : realpathSync.native(path);
}

/** The error for a folder where a file is expected. */
export function folderError(path: string): ToolError {
  return new ToolError(`${path} is a folder`, { code: "folder", path });
}

/** The error for a file, or for a new content, of more than `maxBytes`. */
export function tooLarge(path: string, maxBytes: number): ToolError {
  return new ToolError(`${path} has more than ${maxBytes} bytes`, { code: "too_large", path });
}
