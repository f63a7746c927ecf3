import { createHash } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeWorkspace, workspace } from "../core/run/workspace.js";

/** A folder for the files that tools work on. */
export interface Scratch {
  readonly folder: string;
  /** The path of a file with this text; the same text is the same file. */
  file(text: string): string;
  /** The path of a file that nobody wrote yet, another one each time. */
  fresh(): string;
  /** The path of a file that is not there. */
  missing(): string;
  remove(): void;
}

/** Opens a scratch folder. It lies in the folder that the suite opens sessions in, so that confined agents reach it. */
export function openScratch(parent = workspace): Scratch {
  makeWorkspace();
  const folder = mkdtempSync(join(realpathSync(parent), "conformance-"));
  const written = new Set<string>();
  let count = 0;
  return {
    folder,
    file(text) {
      const path = join(folder, `${createHash("sha256").update(text).digest("hex").slice(0, 12)}.txt`);
      if (!written.has(path)) writeFileSync(path, text);
      written.add(path);
      return path;
    },
    fresh: () => join(folder, `new-${++count}.txt`),
    missing: () => join(folder, "missing.txt"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
