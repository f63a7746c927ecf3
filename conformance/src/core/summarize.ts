import { applyBaseline, type BaselineEntry, type BaselineReport } from "./baseline.js";
import type { Check } from "./check.js";
import { gravest, type Outcome } from "./exit-code.js";
import { bindsIn } from "./profile.js";
import { isAbout } from "./select.js";
import type { Registry } from "./registry.js";
import type { CaseResult, RequirementResult } from "./report.js";
import { type Verdict, worst } from "./verdict.js";

interface Facts {
  readonly results: readonly CaseResult[];
  readonly baseline?: readonly BaselineEntry[] | undefined;
  readonly transport: string;
  readonly profile: string;
  readonly today: string;
  readonly leftOut: readonly string[];
  readonly strict: boolean;
  readonly interrupted: boolean;
  readonly targetError: boolean;
}

/** What the checks of a run add up to. */
export function judgeRun(facts: Facts): { outcome: Outcome; baseline?: BaselineReport } {
  const { results, baseline: entries, strict, interrupted, targetError } = facts;
  const checks = results.flatMap((result) => result.checks);
  const baseline = entries && applyBaseline(entries, checks, facts);
  const expected = new Set(baseline?.expected.map(({ check }) => check));
  const unexpected = checks.filter(({ id }) => !expected.has(id));
  const has = (verdict: Verdict, level?: string): boolean =>
    unexpected.some((check) => check.verdict === verdict && (level === undefined || check.level === level));
  const judged = checks.filter(
    ({ level, source, verdict }) =>
      level === "must" && source === "case" && verdict !== "blocked" && verdict !== "not-applicable",
  );
  const found: Outcome[] = [];
  if (interrupted) found.push("interrupted");
  if (results.some(({ verdict }) => verdict === "harness-error")) found.push("harness-error");
  if (targetError) found.push("target-error");
  if (has("fail") || (strict && has("warn"))) found.push("violated");
  if (has("blocked", "must") || judged.length === 0) found.push("incomplete");
  if (baseline !== undefined) {
    if (baseline.expired.length + baseline.different.length > 0) found.push("violated");
    if (baseline.stale.length + baseline.unmatched.length > 0) found.push("stale-baseline");
  }
  return { outcome: gravest(found), ...(baseline && { baseline }) };
}

/** How each requirement of a role, a profile and a transport stands. */
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
      quotes,
      oracle,
      ...(excluded !== undefined && { excluded }),
      status: worst(verdicts.get(id) ?? []) ?? (oracle === "none" ? "excluded" : "untested"),
    }));
}
