import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, posix, relative, sep } from "node:path";
import { isSystemError, ToolError } from "../errors.js";

/** Tells whether a path is a folder or something below it. Both are real paths. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * The real path of what is there, or of what would be made there: links are followed as far as the path exists.
 * `undefined` for a link that leads nowhere, because writing to it would create its target.
 */
export async function realPathOf(path: string): Promise<string | undefined> {
  const missing: string[] = [];
  for (let existing = path; ; existing = dirname(existing)) {
    try {
      return join(await realpath(existing), ...missing);
    } catch (error) {
      if (!isSystemError(error) || error.code !== "ENOENT" || dirname(existing) === existing) throw error;
    }
    const link = await lstat(existing).catch(() => undefined);
    if (link !== undefined) return undefined;
    missing.unshift(basename(existing));
  }
}

/**
 * A path of a tool call, normalized, with forward slashes. Backslashes count as slashes. Throws a `ToolError` for what
 * is empty or absolute, also with a drive, for what leads above the folder, for null characters, and for a name with a
 * slash at its end, which only a folder can have.
 */
export function relativePathOf(path: string): string {
  const outside = (): ToolError => new ToolError(`${path} is outside the workspace`, { code: "outside", path });
  if (path.includes("\0")) throw new ToolError("A path cannot contain a null character", { code: "outside", path });
  const slashed = path.replaceAll("\\", "/");
  if (slashed === "") throw new ToolError("The path is empty", { code: "outside", path });
  if (slashed.startsWith("/") || /^[a-z]:/i.test(slashed)) throw outside();
  const normal = posix.normalize(slashed);
  if (normal === ".." || normal.startsWith("../")) throw outside();
  if (normal.endsWith("/")) throw new ToolError(`${path} is a folder`, { code: "folder", path });
  return normal;
}
