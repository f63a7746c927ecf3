import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { isSystemError, ToolError } from "../errors.js";

/** Tells whether a path is a folder or something below it. Both are real paths. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * The real path of what is there, or of what would be made there: links are followed as far as the path exists.
 * Throws a `ToolError` for a link that leads nowhere, because writing to it would create its target.
 */
export async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isSystemError(error) || error.code !== "ENOENT") throw error;
  }
  const link = await lstat(path).catch(() => undefined);
  if (link !== undefined) throw new ToolError(`${path} is a link that leads nowhere`);
  return join(await realPathOf(dirname(path)), basename(path));
}
