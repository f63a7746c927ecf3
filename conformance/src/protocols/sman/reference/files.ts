import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix, sep } from "node:path";
import { ToolFailure } from "./tool-failure.js";

/** Finds the file of a path in the project. Throws a `ToolFailure` for a path that leads out of it. */
export function confined(root: string, path: string): string {
  const plain = posix.normalize(path.replaceAll("\\", "/"));
  const leaves = plain === ".." || plain.startsWith("../") || plain.startsWith("/") || /^[a-z]:/i.test(plain);
  if (path === "" || path.includes("\0") || leaves) throw new ToolFailure(`路径无效或超出项目范围: ${path}`);
  const file = join(root, plain);
  if (!isInside(root, file)) throw new ToolFailure(`路径无效或超出项目范围: ${path}`);
  return file;
}

/** Whether a file, or the folder that it would be in, is in the project once links are followed. */
function isInside(root: string, file: string): boolean {
  const real = realOf(file);
  return real === root || real.startsWith(`${root}${sep}`);
}

function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // A link to nothing leads to where it would be made.
    return lstatSync(file, { throwIfNoEntry: false }) === undefined ? realOf(dirname(file)) : "";
  }
}

/** Reads a file. Throws a `ToolFailure` when there is none. */
export function readText(file: string, path: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw new ToolFailure(`文件不存在: ${path}`);
  if (!stat.isFile()) throw new ToolFailure(`不是文件: ${path}`);
  return readFileSync(file, "utf8");
}

/** Writes a file, with the folders that it is in. */
export function writeText(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The paths of the project's files. Links are not followed. */
export function filesIn(root: string): readonly string[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
}

/** The lines of a text; an end of line at its end begins no further one. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Lines with their numbers, of which the first one is `from`. */
export function numbered(lines: readonly string[], from: number): string {
  return lines.map((line, index) => `${String(from + index).padStart(4)} | ${line}`).join("\n");
}
