import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FileDiff } from "../render/diff.js";
import { derivedFolders } from "./sample.js";

/** The files that differ between two folders, by path. */
export async function changesBetween(before: string, after: string): Promise<FileDiff[]> {
  const [oldFiles, newFiles] = await Promise.all([readTree(before), readTree(after)]);
  return [...new Set([...oldFiles.keys(), ...newFiles.keys()])]
    .sort()
    .map((path) => ({ path, oldText: oldFiles.get(path), newText: newFiles.get(path) }))
    .filter(({ oldText, newText }) => oldText !== newText);
}

async function readTree(root: string, folder = ""): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) files.set(path, await readFile(join(root, path), "utf8"));
    else if (entry.isDirectory() && !derivedFolders.has(entry.name))
      for (const [name, text] of await readTree(root, path)) files.set(name, text);
  }
  return files;
}
