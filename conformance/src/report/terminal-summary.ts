import type { RunReport } from "../core/verdict/report.js";
import { levelSums } from "./counts.js";
import { notJudgedLine } from "./not-judged.js";
import { type Paint, plain } from "./paint.js";

/** The sums of a run by requirements, and why it did not get to its end. */
export function summaryReport(
  report: RunReport,
  { paint = plain }: { readonly paint?: Paint | undefined } = {},
): string {
  const { run, cases, baseline, totals } = report;
  const ran = cases.filter(({ id }) => id !== "calibration").length;
  const lines = levelSums(report);
  lines.push(...verdictLines(report, paint));
  if (ran < run.selected) lines.push(paint("red", `${ran} of ${run.selected} selected cases ran`));
  if (totals.cases["harness-error"] > 0)
    lines.push(paint("red", `the suite itself failed in ${totals.cases["harness-error"]} case(s)`));
  const notJudged = notJudgedLine(report);
  if (notJudged !== undefined) lines.push(notJudged);
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
