import { convertPathToPattern, globbyStream } from "globby";

/** Files that one walk lists at most. */
const MAX_FILES = 20_000;

/**
 * Lists the files below a folder of the root, sorted, as paths from the root with forward slashes. Links are not
 * followed, and `.git`, `node_modules` and what a `.gitignore` names are left out.
 */
export async function walk(root: string, folder: string, signal: AbortSignal): Promise<string[]> {
  const pattern = folder === "" ? "**" : `${convertPathToPattern(folder)}/**`;
  const files: string[] = [];
  const entries = globbyStream(pattern, {
    cwd: root,
    dot: true,
    gitignore: true,
    followSymbolicLinks: false,
    suppressErrors: true,
    ignore: ["**/.git/**", "**/node_modules/**"],
  });
  for await (const file of entries) {
    signal.throwIfAborted();
    files.push(file);
    if (files.length === MAX_FILES) break;
  }
  return files.sort();
}
