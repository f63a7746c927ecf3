import { replaceFile, ReplaceFileError, type ReplaceFault } from "@editwire/session/node";
import { isSystemError, systemError, ToolError, type ToolErrorCode } from "../errors.js";
import { type FilePlace, openFolder, placeOf } from "./folder.js";
import { folderError, readIn, tooLarge } from "./read.js";

/** Text of a file in UTF-8, byte order mark and line ends included. Throws a `ToolError` for any other content. */
export function utf8Of(path: string, bytes: Uint8Array): string {
  if (bytes.includes(0)) throw new ToolError(`${path} is a binary file`, { code: "binary", path });
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolError(`${path} is not UTF-8 text`, { code: "encoding", path });
  }
}

/** Text in UTF-8. Throws a `ToolError` for text that could not be read back: with a null character or half a pair. */
export function bytesOf(path: string, text: string): Uint8Array {
  if (text.includes("\0"))
    throw new ToolError(`The new content of ${path} has a null character`, { code: "binary", path });
  if (/\p{Surrogate}/u.test(text))
    throw new ToolError(`The new content of ${path} is not valid Unicode`, { code: "encoding", path });
  return Buffer.from(text);
}

/** The condition under which a file may be written. */
export interface WriteMode {
  /** There must be no file, and no other process creates one at this moment. */
  readonly createOnly?: boolean | undefined;
  /** The file must still have this content. */
  readonly replaces?: string | Uint8Array | undefined;
}

/**
 * Replaces or creates a file in one step, keeps its permissions, and creates the folders above it. Throws a `ToolError`
 * for too many bytes, for a file that nobody may write or that is not as `mode` expects it, and when a folder was
 * replaced by a link after the real path was found.
 */
export async function writeBytes(place: FilePlace, bytes: Uint8Array, mode: WriteMode = {}): Promise<void> {
  const { root, real, path, maxBytes } = place;
  if (bytes.length > maxBytes) throw tooLarge(`The new content of ${path}`, maxBytes);
  const { folders, name } = placeOf(root, real);
  if (name === "") throw folderError(path);
  try {
    const folder = await openFolder(root, folders, { create: mode.replaces === undefined });
    try {
      const file = folder.pathOf(name);
      const before = mode.createOnly === true ? null : await expected(file, place, mode.replaces);
      await replaceFile(file, bytes, { before });
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (error instanceof ReplaceFileError) throw refusal(error.fault, path);
    const isGone = mode.replaces !== undefined && isSystemError(error) && error.code === "ENOENT";
    throw isGone ? refusal("changed", path) : systemError(error, path, "write");
  }
}

/** The stamp of a file that has the content that is expected. */
async function expected(file: string, place: FilePlace, content: string | Uint8Array | undefined) {
  if (content === undefined) return undefined;
  const { bytes, stamp } = await readIn(file, place);
  if (!Buffer.from(content as string).equals(bytes)) throw new ReplaceFileError("changed");
  return stamp;
}

const refusals: Readonly<Record<ReplaceFault, readonly [code: ToolErrorCode, what: string]>> = {
  changed: ["changed", "has changed since; read it again"],
  exists: ["exists", "already exists"],
  not_regular: ["not_regular", "is not a regular file"],
  read_only: ["unwritable", "is read-only"],
};

function refusal(fault: ReplaceFault, path: string): ToolError {
  const [code, what] = refusals[fault];
  return new ToolError(`${path} ${what}`, { code, path });
}
