import type { RunReport } from "../core/verdict/report.js";
import { denominators, statuses } from "./counts.js";
import { visible } from "./visible.js";

/** Wraps text in a color. */
export type Paint = (color: "red" | "yellow" | "green" | "dim" | "bold", text: string) => string;

/** Paints nothing. */
export const plain: Paint = (_color, text) => text;

/** The sums of a run with every denominator, and why it did not get to its end. */
export function summaryReport(
  report: RunReport,
  { paint = plain }: { readonly paint?: Paint | undefined } = {},
): string {
  const { run, cases, baseline, error, outcome, totals } = report;
  const lines: string[] = [];
  if (error !== undefined) lines.push(paint("red", "error:"), ...indented(error), "");
  const ran = cases.filter(({ id }) => id !== "calibration").length;
  const rows = denominators(report);
  const width = Math.max(...rows.map(({ name }) => name.length));
  for (const { name, total, counts } of rows) {
    if (total === 0 && name.startsWith("may")) continue;
    const parts = statuses.flatMap((status) => ((counts[status] ?? 0) > 0 ? [`${counts[status]} ${status}`] : []));
    lines.push(
      `${name.padEnd(width)} ${String(total).padStart(5)}${parts.length === 0 ? "" : `: ${parts.join(", ")}`}`,
    );
  }
  lines.push(...verdictLines(report, paint));
  if (ran < run.selected) lines.push(paint("red", `${ran} of ${run.selected} selected cases ran`));
  if (totals.cases["harness-error"] > 0)
    lines.push(paint("red", `the suite itself failed in ${totals.cases["harness-error"]} case(s)`));
  if (outcome === "incomplete") lines.push(paint("red", whyIncomplete(report)));
  if (baseline === undefined) return lines.join("\n");
  lines.push(`baseline: ${baseline.expected.length} as expected`);
  for (const kind of ["stale", "unmatched", "expired", "different"] as const) {
    for (const check of baseline[kind]) lines.push(paint("red", `baseline: ${kind}: ${check}`));
  }
  return lines.join("\n");
}

/** A line for each basis. Those that do not decide the outcome say so. */
function verdictLines({ verdicts, run }: RunReport, paint: Paint): string[] {
  const width = Math.max(0, ...verdicts.map(({ basis }) => basis.length));
  return verdicts.flatMap(({ basis, outcome, musts, met, violated, blocked }) => {
    if (musts === 0) return [];
    const parts = [`${met} of ${musts} ${basis === "interop" ? "needs of real peers" : "musts"} met`];
    if (violated.length > 0) parts.push(`${violated.length} violated`);
    if (blocked.length > 0) parts.push(`${blocked.length} blocked`);
    if (!run.basis.includes(basis)) parts.push("does not decide the outcome");
    const bad = outcome === "violated" || outcome === "incomplete";
    const word = bad ? paint(run.basis.includes(basis) ? "red" : "yellow", outcome) : outcome;
    return [`${basis.padEnd(width)}  ${word}: ${parts.join(", ")}`];
  });
}

function whyIncomplete({ cases, run }: RunReport): string {
  const blocked = cases
    .flatMap(({ checks }) => checks)
    .filter(
      ({ level, basis, verdict }) => level === "must" && verdict === "blocked" && run.basis.includes(basis),
    ).length;
  return blocked > 0
    ? `incomplete: ${blocked} check(s) of must requirements are blocked`
    : "incomplete: no case judged a must requirement";
}

/** Text of the target or of an error, each line marked so that none can pose as a line of the report. */
export function indented(text: string): string[] {
  return visible(text.trimEnd())
    .split("\n")
    .map((line, index) => (index === 0 ? `  ${line}` : `  | ${line}`));
}
