import type { PlanEntry } from "@editwire/acp-schema";
import type { Look } from "./look.js";
import { oneLine } from "./sanitize.js";

/** The checklist, or only the entries that moved when the plan is otherwise the one shown before. */
export function renderPlan(
  entries: readonly PlanEntry[],
  before: readonly PlanEntry[] | undefined,
  look: Look,
): string[] {
  const same =
    before !== undefined &&
    before.length === entries.length &&
    entries.every((entry, index) => entry.content === before[index]?.content);
  const shown = same ? entries.filter((entry, index) => entry.status !== before[index]?.status) : entries;
  const lines = shown.map((entry) => renderEntry(entry, look));
  return same ? lines : [look.colors.bold("Plan"), ...lines];
}

function renderEntry({ content, status }: PlanEntry, { colors }: Look): string {
  const text = oneLine(content);
  if (status === "completed") return `  ${colors.green("✓")} ${colors.dim(text)}`;
  return status === "in_progress" ? `  ${colors.cyan("▸")} ${text}` : `  ${colors.dim("○")} ${text}`;
}
