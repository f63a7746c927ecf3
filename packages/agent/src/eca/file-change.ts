import type { ToolCallDetails } from "@editwire/eca";
import { createTwoFilesPatch, diffLines } from "diff";
import type { ToolCallDiff, ToolCallState } from "../tool-call-state.js";

/** Differences that are worth finding; beyond them, the whole file is shown as changed. */
const limit = { maxEditLength: 2_000 };

/** What a client shows of the first change that a call makes. */
export function fileChangeOf({ contents }: ToolCallState): ToolCallDetails | undefined {
  const change = contents.find((content) => content.type === "diff");
  return change && fileChange(change);
}

function fileChange({ path, oldText = "", newText }: ToolCallDiff): ToolCallDetails {
  const lines = diffLines(oldText, newText, limit) ?? [
    { removed: true, added: false, count: linesIn(oldText) },
    { removed: false, added: true, count: linesIn(newText) },
  ];
  const count = (kind: "added" | "removed"): number =>
    lines.reduce((sum, line) => sum + (line[kind] ? line.count : 0), 0);
  const diff =
    createTwoFilesPatch(path, path, oldText, newText, undefined, undefined, limit) ?? whole(oldText, newText);
  return { type: "fileChange", path, diff, linesAdded: count("added"), linesRemoved: count("removed") };
}

function whole(oldText: string, newText: string): string {
  const marked = (mark: string, text: string): string => text.replaceAll(/^/gm, mark);
  return `@@ -1,${linesIn(oldText)} +1,${linesIn(newText)} @@\n${marked("-", oldText)}\n${marked("+", newText)}\n`;
}

function linesIn(text: string): number {
  return text === "" ? 0 : text.split("\n").length;
}
