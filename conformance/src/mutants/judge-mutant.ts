import { isGood } from "../core/verdict/exit-code.js";
import type { Mutant } from "../core/mutant.js";
import type { RunReport } from "../core/verdict/report.js";
import type { Verdict } from "../core/verdict/verdict.js";
import type { Elsewhere, MutantResult } from "./mutant-result.js";

const noticed: readonly Verdict[] = ["fail", "warn", "info"];

/** Judges the suite by what it found in a mutant. `applied`: the run came to what the mutant changes. */
export function judgeMutant(
  { id, violates, collateral = [] }: Mutant,
  { cases, outcome, run, error }: RunReport,
  applied: boolean,
): MutantResult {
  const failing = cases.flatMap(({ checks }) => checks).filter(({ verdict }) => noticed.includes(verdict));
  const unique = (ids: readonly string[]): string[] => [...new Set(ids)].sort();
  const killers = unique(failing.filter(({ req }) => violates.includes(req)).map((check) => check.id));
  const unexpected = unique(
    failing.filter(({ req }) => !violates.includes(req) && !collateral.includes(req)).map((check) => check.id),
  );
  const proves = unique(failing.filter(({ req }) => violates.includes(req)).map(({ req }) => req));
  const missed = violates.filter((req) => !proves.includes(req));
  const broken = cases.find(({ verdict }) => verdict === "harness-error");
  const elsewhere = elsewhereIn(cases, [...violates, ...collateral]);
  const base = { id, killers, unexpected, elsewhere, proves, missed, ms: run.ms };
  if (broken !== undefined) return { ...base, verdict: "error", reason: `${broken.id}: ${broken.reason ?? ""}` };
  if (!applied) return { ...base, verdict: "unapplied", reason: "no case came to what it changes" };
  if (unexpected.length > 0)
    return { ...base, verdict: "wrong-reason", reason: `${unexpected.length} check(s) of other requirements failed` };
  if (violates.length === 0) {
    const passed = isGood(outcome);
    return {
      ...base,
      verdict: passed ? "benign" : "wrong-reason",
      ...(!passed && { reason: error ?? blockedReason(cases) ?? outcome }),
    };
  }
  if (missed.length > 0) {
    const blocked = blockedReason(cases);
    const reason = [`nobody noticed ${missed.join(", ")}`, ...(blocked === undefined ? [] : [blocked])].join("; ");
    return { ...base, verdict: "survived", reason };
  }
  return { ...base, verdict: "killed" };
}

/** The requirements of which a check failed or was blocked, except the given ones; one that failed counts as that. */
function elsewhereIn(cases: RunReport["cases"], except: readonly string[]): Elsewhere[] {
  const found = new Map<string, Elsewhere>();
  for (const { id: at, checks, reason } of cases) {
    for (const { req, verdict, message = reason ?? "" } of checks) {
      const fails = noticed.includes(verdict);
      if ((!fails && verdict !== "blocked") || except.includes(req)) continue;
      const before = found.get(req);
      if (before === undefined || (fails && before.how === "blocks"))
        found.set(req, { req, how: fails ? "fails" : "blocks", at, message });
    }
  }
  return [...found.values()].sort((one, other) => (one.req < other.req ? -1 : 1));
}

function blockedReason(cases: RunReport["cases"]): string | undefined {
  return cases.find(({ verdict }) => verdict === "blocked")?.reason;
}
