import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { chmod, mkdir, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ToolError } from "../errors.js";

/** Bytes of the largest file that is read or written. */
export const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Reads a text file, byte order mark and line ends included.
 * Throws a `ToolError` for what is no file, not UTF-8 text, or larger than 1 MiB.
 */
export async function readText(path: string): Promise<string> {
  // Not blocking, because opening a pipe for reading waits for its writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
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

/** Replaces or creates a file in one step, keeps its permissions, and creates the folders above it. Throws a `ToolError` above 1 MiB. */
export async function writeText(path: string, text: string): Promise<void> {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_FILE_BYTES)
    throw new ToolError(
      `The new content of ${path} has ${bytes} bytes; files of up to ${MAX_FILE_BYTES} bytes can be written`,
    );
  const before = await stat(path).catch(() => undefined);
  await mkdir(dirname(path), { recursive: true });
  const draft = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    await writeFile(draft, text, { flag: "wx" });
    if (before !== undefined) await chmod(draft, before.mode & 0o777);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
