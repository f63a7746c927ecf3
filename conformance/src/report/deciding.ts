import { causeIn, keyOf } from "../core/verdict/causes.js";
import type { Check } from "../core/verdict/check.js";
import type { RunReport } from "../core/verdict/report.js";

/** One cause of a run's outcome: what the checks of one or several cases have in common. */
export interface Deciding {
  /** The check that shows it first. */
  readonly check: Check;
  /** The case of this check. */
  readonly caseId: string;
  /** All its cases. */
  readonly cases: readonly string[];
  /** Ids of the requirements that it concerns. */
  readonly requirements: readonly string[];
}

type Decided = Pick<RunReport, "run" | "baseline"> & {
  readonly cases: readonly { readonly id: string; readonly checks: readonly Check[] }[];
};

/** Whether a check keeps a run from being in order, unless a baseline explains it. */
export function decides({ verdict, level, basis }: Check, run: Pick<RunReport["run"], "basis" | "strict">): boolean {
  if (!run.basis.includes(basis)) return false;
  return verdict === "fail" || (verdict === "warn" && run.strict) || (verdict === "blocked" && level === "must");
}

/** The findings that decided the outcome of a run: violations first, and then the common causes of most cases. */
export function decidingIn({ cases, run, baseline }: Decided): Deciding[] {
  const expected = new Set(baseline?.expected.map(({ check }) => check));
  const groups = new Map<string, { check: Check; caseId: string }[]>();
  for (const { id: caseId, checks } of cases) {
    for (const check of checks) {
      if (!decides(check, run) || expected.has(check.id)) continue;
      const key = keyOf(causeIn(check, checks));
      groups.set(key, [...(groups.get(key) ?? []), { check, caseId }]);
    }
  }
  return [...groups.values()]
    .flatMap((found): Deciding[] => {
      const [first] = found;
      if (first === undefined) return [];
      return [
        {
          ...first,
          cases: [...new Set(found.map(({ caseId }) => caseId))],
          requirements: [...new Set(found.map(({ check }) => check.req))],
        },
      ];
    })
    .sort((a, b) => order(a) - order(b) || b.cases.length - a.cases.length);
}

const order = ({ check }: Deciding): number => ["fail", "warn", "blocked"].indexOf(check.verdict);
