import { constants } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { isSystemError } from "../errors.js";

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/** An open folder of the workspace. */
export interface Folder {
  /**
   * A path for something in the folder. On Linux it goes through the folder's handle, so that it leads into this folder
   * even if the folder is renamed. Elsewhere it is an ordinary path.
   */
  pathOf(name: string): string;
  close(): Promise<void>;
}

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

/** Where something lies: the names of the folders from the root to it, and its own name. */
export interface Place {
  readonly folders: readonly string[];
  /** Empty for the root itself. */
  readonly name: string;
}

/** The place of a real path below the root. */
export function placeOf(root: string, real: string): Place {
  const names = relative(root, real).split(sep);
  return { folders: names.slice(0, -1), name: names.at(-1) ?? "" };
}

/**
 * Opens a folder, one name after the other from the root, and follows no link on the way: a folder that was replaced by
 * a link after its real path was found makes it fail. `create` creates the folders that are missing. Rejects with a
 * system error.
 */
export async function openFolder(
  root: string,
  names: readonly string[],
  { create = false }: { create?: boolean | undefined } = {},
): Promise<Folder> {
  let path = root;
  let handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  for (const name of names) {
    const parent = handle;
    try {
      path = pathThrough(parent, path, name);
      if (create) await mkdir(path).catch(ignoreExisting);
      handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    } finally {
      await parent.close();
    }
  }
  return { pathOf: (name) => pathThrough(handle, path, name), close: () => handle.close() };
}

function pathThrough(folder: FileHandle, path: string, name: string): string {
  return process.platform === "linux" ? `/proc/self/fd/${folder.fd}/${name}` : join(path, name);
}

function ignoreExisting(error: unknown): void {
  if (!isSystemError(error) || error.code !== "EEXIST") throw error;
}
