import type { FileChangeDetails } from "@editwire/eca-schema";
import { type Action, unifiedDiff } from "@editwire/example-coding-agent";

/** What the editor shows of a change to a file: a unified diff and how many lines it adds and removes. */
export function fileChange(path: string, oldText: string, newText: string): FileChangeDetails {
  return { type: "fileChange", path, ...unifiedDiff(path, oldText, newText) };
}

/** The change that an action would make; absent for one that changes no file. */
export function detailsOf({ preview = [] }: Action): FileChangeDetails | undefined {
  for (const part of preview) {
    if (part.type === "diff") return fileChange(part.path, part.oldText ?? "", part.newText);
  }
  return undefined;
}
