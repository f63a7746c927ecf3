import type { FileChangeDetails } from "@editwire/eca-schema";
import type { Action } from "@editwire/example-coding-agent";
import { createTwoFilesPatch, diffLines } from "diff";

/** What the editor shows of a change to a file: a unified diff and how many lines it adds and removes. */
export function fileChange(path: string, oldText: string, newText: string): FileChangeDetails {
  const counts = { linesAdded: 0, linesRemoved: 0 };
  for (const { added, removed, count } of diffLines(oldText, newText)) {
    if (added) counts.linesAdded += count;
    if (removed) counts.linesRemoved += count;
  }
  return { type: "fileChange", path, diff: createTwoFilesPatch(path, path, oldText, newText), ...counts };
}

/** The change that an action would make; absent for one that changes no file. */
export function detailsOf({ preview = [] }: Action): FileChangeDetails | undefined {
  for (const part of preview) {
    if (part.type === "diff") return fileChange(part.path, part.oldText ?? "", part.newText);
  }
  return undefined;
}
