import { compare, type FileDiff, renderDiffHeader, renderHunks } from "../render/diff.js";
import { indentDetail, type Look } from "../render/look.js";
import { oneLine } from "../render/sanitize.js";
import { plural } from "../render/text.js";
import type { TestRun } from "./tests.js";

/** A section's heading. */
export function heading(title: string, { colors }: Look): string {
  return colors.bold(title);
}

/** How many tests pass, and which fail and why. */
export function renderTestRun({ passed, failures, ok }: TestRun, { colors }: Look): string[] {
  const { green, red, dim } = colors;
  if (ok) return [`${green("✓")} ${plural(passed, "test")} pass`];
  if (failures.length === 0) return [`${red("✗")} The tests did not run to their end`];
  return [
    ...failures.flatMap(({ name, error }) => [
      `${red("✗")} ${oneLine(name)}`,
      ...(error === "" ? [] : [`  ${dim(oneLine(error))}`]),
    ]),
    dim(
      `  ${failures.length} of ${plural(passed + failures.length, "test")} ${failures.length === 1 ? "fails" : "fail"}`,
    ),
  ];
}

/** The changed files as a unified diff. */
export function renderChanges(changes: readonly FileDiff[], look: Look): string[] {
  if (changes.length === 0) return [look.colors.dim("nothing")];
  return changes.flatMap((change) => {
    const comparison = compare(change);
    return [renderDiffHeader(change, comparison, look), ...indentDetail(renderHunks(comparison, look), look)];
  });
}
