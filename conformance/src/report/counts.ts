import type { RunReport } from "../core/verdict/report.js";
import { type Totals, type Verdict, verdicts } from "../core/verdict/verdict.js";

/** The sums in the words of test runners. `failed` is 0 only when the exit code is 0. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  /** Blocked, not applicable, or failing as the baseline says. */
  readonly skipped: number;
}

type Counted = Pick<RunReport, "baseline" | "exitCode" | "run"> & {
  readonly cases: readonly Pick<RunReport["cases"][number], "verdict" | "checks">[];
};

/** The result of a case for a test runner. */
export function testStatus(
  result: Counted["cases"][number],
  { baseline, run }: Pick<Counted, "baseline" | "run">,
): keyof TestCounts {
  if (result.verdict === "harness-error") return "failed";
  const expected = new Set(baseline?.expected.map(({ check }) => check));
  const has = (verdict: Verdict, known: boolean): boolean =>
    result.checks.some((check) => check.verdict === verdict && expected.has(check.id) === known);
  const fails = (verdict: Verdict): boolean =>
    result.checks.some(
      (check) => check.verdict === verdict && run.basis.includes(check.basis) && !expected.has(check.id),
    );
  if (fails("fail") || (run.strict && fails("warn"))) return "failed";
  if (has("fail", true) || has("blocked", true) || has("blocked", false)) return "skipped";
  return result.verdict === "blocked" || result.verdict === "not-applicable" ? "skipped" : "passed";
}

/** Counts the cases of a run. A run that is not in order counts as one failure even when no case failed. */
export function testCounts(report: Counted): TestCounts {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const result of report.cases) counts[testStatus(result, report)] += 1;
  return { ...counts, failed: report.exitCode === 0 ? counts.failed : Math.max(1, counts.failed) };
}

/** The last line of every report for people: `N passed, N failed, N skipped`. */
export function countLine({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** The possible statuses of a requirement, from the best to those that were not judged. */
export const statuses = [...verdicts, "untested", "excluded"] as const;

/** How a requirement stands after a run. */
export type Status = (typeof statuses)[number];

/** One row of the sums: what is counted, how many there are, and how many of each status. */
export interface Denominator {
  readonly name: string;
  readonly total: number;
  readonly counts: Readonly<Partial<Record<Status, number>>>;
}

/** Every denominator of a run: requirements by level, cases, checks. */
export function denominators({ requirements, totals }: Pick<RunReport, "requirements" | "totals">): Denominator[] {
  const rows = (["must", "should", "may"] as const).map((level) => {
    const ofLevel = requirements.filter((row) => row.level === level);
    const counts: Partial<Record<Status, number>> = {};
    for (const { status } of ofLevel) counts[status] = (counts[status] ?? 0) + 1;
    return { name: `${level} requirements`, total: ofLevel.length, counts };
  });
  const summed = (name: string, counts: Totals): Denominator => ({
    name,
    counts,
    total: verdicts.reduce((sum, verdict) => sum + counts[verdict], 0),
  });
  return [...rows, summed("cases", totals.cases), summed("checks", totals.checks)];
}
