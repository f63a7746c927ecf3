import { fileURLToPath } from "node:url";
import { readBaseline, runConformance, type RunReport } from "../../src/index.js";
import { isGood } from "../../src/core/verdict/exit-code.js";
import { bases } from "../../src/core/registry/requirement.js";
import type { Judged } from "./judged.js";

/** The problems, a line each; none when an implementation behaves as expected. */
export interface Judgment {
  readonly problems: readonly string[];
  /** The counts, for the line that is printed. */
  readonly sum: string;
}

const GRACE_MS = 1_000;

/** Judges an implementation as often as it says, and compares the verdicts. */
export async function judge({ protocol, role, runs = 1, baseline, options, open }: Judged): Promise<Judgment> {
  const known =
    baseline === undefined
      ? undefined
      : readBaseline(fileURLToPath(new URL(`../../baselines/${baseline}`, import.meta.url)));
  const reports: RunReport[] = [];
  for (let run = 0; run < runs; run++) {
    const { target, close } = await open();
    try {
      // Seeds differ, so that nothing passes by chance alone.
      reports.push(
        await runConformance({
          protocol,
          role,
          target,
          seed: run + 1,
          jobs: 3,
          graceMs: GRACE_MS,
          baseline: known,
          basis: bases,
          ...options,
        }),
      );
    } finally {
      await close();
    }
  }
  const [first] = reports;
  const problems = reports.flatMap((report, index) =>
    problemsOf(report).map((problem) => (runs === 1 ? problem : `run ${index + 1}: ${problem}`)),
  );
  if (first === undefined || reports.some((report) => verdictsOf(report) !== verdictsOf(first)))
    problems.push("the runs differ in their verdicts");
  const judged =
    first?.cases.filter(({ verdict }) => verdict !== "not-applicable" && verdict !== "blocked").length ?? 0;
  const { expected = [] } = first?.baseline ?? {};
  const times = runs === 1 ? "" : `, ${runs} times the same`;
  return {
    problems,
    sum: `${judged} cases${expected.length > 0 ? `, ${expected.length} checks as the baseline has them` : ""}${times}`,
  };
}

/** Findings of a run that no entry of its baseline explains, and entries of the baseline that were not found. */
function problemsOf({ outcome, error, cases, baseline }: RunReport): string[] {
  const explained = new Set(baseline?.expected.map(({ check }) => check));
  const unexplained = cases
    .flatMap(({ checks }) => checks)
    .filter(({ id, verdict }) => ["fail", "warn", "blocked", "harness-error"].includes(verdict) && !explained.has(id))
    .map(
      ({ id, verdict, message, actual }) =>
        `${verdict} ${id} ${message ?? ""} ${(JSON.stringify(actual) ?? "").slice(0, 200)}`,
    );
  const stale = (["stale", "unmatched", "expired", "different"] as const).flatMap((kind) =>
    (baseline?.[kind] ?? []).map((check) => `baseline: ${kind}: ${check}`),
  );
  const rest = isGood(outcome) ? [] : [`${outcome} ${error ?? ""}`];
  return [...unexplained, ...stale, ...rest];
}

/** Every verdict of a case, and of what the case itself judged; how many messages a monitor saw depends on the hour. */
function verdictsOf({ cases }: RunReport): string {
  return cases
    .flatMap(({ id, verdict, checks }) => [
      `${id} ${verdict}`,
      ...checks.flatMap((check) => (check.source === "case" ? [`${check.id} ${check.verdict}`] : [])),
    ])
    .join("\n");
}
