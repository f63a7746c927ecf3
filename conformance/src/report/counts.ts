import type { RunReport } from "../core/verdict/report.js";
import { type Verdict, verdicts } from "../core/verdict/verdict.js";

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
  { baseline, run }: Pick<Counted, "baseline"> & { readonly run: Pick<Counted["run"], "basis" | "strict"> },
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

/** The requirements by level, with how many there are of each status. */
export function levelDenominators({ requirements }: Pick<RunReport, "requirements">): Denominator[] {
  return (["must", "should", "may"] as const).map((level) => {
    const ofLevel = requirements.filter((row) => row.level === level);
    const counts: Partial<Record<Status, number>> = {};
    for (const { status } of ofLevel) counts[status] = (counts[status] ?? 0) + 1;
    return { name: `${level} requirements`, total: ofLevel.length, counts };
  });
}

/** The sums of the requirements as lines, one for each level that the protocol has. */
export function levelSums(report: Pick<RunReport, "requirements">): string[] {
  const rows = levelDenominators(report).filter(({ total }) => total > 0);
  const width = Math.max(0, ...rows.map(({ name }) => name.length));
  return rows.map(({ name, total, counts }) => {
    const parts = statuses.flatMap((status) => ((counts[status] ?? 0) > 0 ? [`${counts[status]} ${status}`] : []));
    return `${name.padEnd(width)} ${String(total).padStart(5)}: ${parts.join(", ")}`;
  });
}

/** A number and what is counted, such as `1 entry` or `2 entries`. */
export const counted = (count: number, word: string): string =>
  `${count} ${count === 1 ? word : word.endsWith("y") ? `${word.slice(0, -1)}ies` : `${word}s`}`;
