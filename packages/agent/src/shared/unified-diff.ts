import { createTwoFilesPatch } from "diff";
import type { AgentToolCallDiff } from "../api/tool-call-state.js";

/** Differences that are worth finding; beyond them, the whole text is shown as changed. */
const maxEditLength = 2_000;

/** The hunks of a change, as in a unified diff. */
export function hunksOf({ oldText = "", newText }: Pick<AgentToolCallDiff, "oldText" | "newText">): string {
  const patch = createTwoFilesPatch("a", "b", oldText, newText, undefined, undefined, { maxEditLength });
  return patch === undefined ? wholeOf(oldText, newText) : patch.slice(Math.max(0, patch.indexOf("@@")));
}

function wholeOf(oldText: string, newText: string): string {
  const [before, after] = [linesOf(oldText), linesOf(newText)];
  const marked = (mark: string, lines: readonly string[]): string => lines.map((line) => `${mark}${line}\n`).join("");
  const header = `@@ -${Math.min(1, before.length)},${before.length} +${Math.min(1, after.length)},${after.length} @@`;
  return `${header}\n${marked("-", before)}${marked("+", after)}`;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
