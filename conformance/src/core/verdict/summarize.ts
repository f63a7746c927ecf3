import { applyBaseline, type BaselineEntry, type BaselineReport } from "./baseline.js";
import type { CaseResult, Check } from "./check.js";
import { gravest, type Outcome } from "./exit-code.js";
import { bindsIn } from "../registry/profile.js";
import type { Registry } from "../registry/registry.js";
import type { BasisVerdict, RequirementResult } from "./report.js";
import { bases, type Basis } from "../registry/requirement.js";
import { isAbout } from "../run/select.js";
import { type Verdict, worst } from "./verdict.js";

interface Facts {
  readonly results: readonly CaseResult[];
  readonly baseline?: readonly BaselineEntry[] | undefined;
  readonly transport: string;
  readonly profile: string;
  readonly today: string;
  /** Cases and monitors whose results this run does not know: those left out, and those of other transports. */
  readonly leftOut: readonly string[];
  /** No case that applies to the transport was left out. */
  readonly whole: boolean;
  readonly strict: boolean;
  /** The bases of the requirements that decide the outcome. */
  readonly basis: readonly Basis[];
  readonly interrupted: boolean;
  readonly targetError: boolean;
  /** The time limit has ended the run before each must that decides was judged. */
  readonly late: boolean;
}

/** The sums of a run's checks. */
export function judgeRun(facts: Facts): { outcome: Outcome; baseline?: BaselineReport } {
  const { results, baseline: entries, interrupted, targetError, late } = facts;
  const checks = results.flatMap((result) => result.checks);
  const baseline = entries && applyBaseline(entries, checks, facts);
  const found: Outcome[] = [];
  if (interrupted) found.push("interrupted");
  if (results.some(({ verdict }) => verdict === "harness-error")) found.push("harness-error");
  if (late) found.push("incomplete");
  if (targetError) found.push("target-error");
  if (baseline !== undefined) {
    if (baseline.expired.length + baseline.different.length > 0) found.push("violated");
    if (baseline.stale.length + baseline.unmatched.length > 0) found.push("stale-baseline");
  }
  return { outcome: gravest([...found, ...outcomesOf(checks, baseline, facts)]), ...(baseline && { baseline }) };
}

/** The outcome that follows from the checks alone. */
function outcomesOf(
  checks: readonly Check[],
  baseline: BaselineReport | undefined,
  { strict, basis, whole }: Facts,
): Outcome[] {
  const expected = new Set(baseline?.expected.map(({ check }) => check));
  const deciding = checks.filter((check) => basis.includes(check.basis));
  const has = (verdict: Verdict, level?: string): boolean =>
    deciding.some(
      (check) => !expected.has(check.id) && check.verdict === verdict && (level === undefined || check.level === level),
    );
  // A selection of cases may judge only requirements of other bases. A whole run must have judged a deciding "must".
  const judged = (whole ? deciding : checks).some(
    ({ level, source, verdict }) =>
      level === "must" && source === "case" && verdict !== "blocked" && verdict !== "not-applicable",
  );
  const found: Outcome[] = [];
  if (has("fail") || (strict && has("warn"))) found.push("violated");
  if (has("blocked", "must") || !judged) found.push("incomplete");
  if (!whole || expected.size > 0 || checks.some(({ verdict }) => verdict === "blocked")) found.push("passed");
  return found;
}

/** The results of the musts of each basis. `whole` says that no case was left out. */
export function basisVerdicts(requirements: readonly RequirementResult[], whole: boolean): BasisVerdict[] {
  return bases.map((basis) => {
    const musts = requirements.filter(
      (row) =>
        row.basis === basis && row.level === "must" && row.status !== "excluded" && row.status !== "not-applicable",
    );
    const ids = (status: Verdict): string[] => musts.filter((row) => row.status === status).map(({ id }) => id);
    const violated = ids("fail");
    const blocked = ids("blocked");
    const met = ids("pass").length;
    const outcome =
      violated.length > 0
        ? "violated"
        : blocked.length > 0 || (met === 0 && musts.length > 0)
          ? "incomplete"
          : whole
            ? "conformant"
            : "passed";
    return { basis, outcome, musts: musts.length, met, violated, blocked };
  });
}

/** The status of each requirement of a role, a profile and a transport. */
export function requirementResults(
  registry: Registry,
  { role, profile, transport }: { role: string; profile: string; transport: string },
  results: readonly CaseResult[],
): RequirementResult[] {
  const verdicts = new Map<string, Verdict[]>();
  for (const check of results.flatMap((result): readonly Check[] => result.checks)) {
    const list = verdicts.get(check.req) ?? [];
    list.push(check.verdict);
    verdicts.set(check.req, list);
  }
  return registry.requirements
    .filter((row) => row.role === role || row.role === "both")
    .filter((row) => bindsIn(row, profile) && isAbout(row, transport))
    .map(({ id, level, basis, text, quotes, oracle, excluded }) => ({
      id,
      level,
      basis,
      text,
      quotes: quotes.map(({ at, text: words }) => ({ at, text: words })),
      oracle,
      ...(excluded !== undefined && { excluded }),
      status: worst(verdicts.get(id) ?? []) ?? (oracle === "none" ? "excluded" : "untested"),
    }));
}
