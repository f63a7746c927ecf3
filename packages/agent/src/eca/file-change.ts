import type { ToolCallDetails } from "@editwire/eca";
import type { AgentToolCallDiff, AgentToolCallState } from "../api/tool-call-state.js";
import { hunksOf } from "../shared/unified-diff.js";

/** The details of the first change that a call makes. */
export function fileChangeOf({ contents }: AgentToolCallState): ToolCallDetails | undefined {
  const change = contents.find((content) => content.type === "diff");
  return change && fileChange(change);
}

function fileChange(change: AgentToolCallDiff): ToolCallDetails {
  const { path } = change;
  const hunks = hunksOf(change);
  const count = (mark: string): number => hunks.split("\n").filter((line) => line.startsWith(mark)).length;
  const diff = `--- ${path}\n+++ ${path}\n${hunks}`;
  return { type: "fileChange", path, diff, linesAdded: count("+"), linesRemoved: count("-") };
}
