import type { Check } from "../core/verdict/check.js";
import { decides } from "./deciding.js";
import type { ReportDocument, RequirementDocument } from "./document.js";

/** A requirement that is not met, and every check that says so. */
export interface Finding {
  readonly requirement: Pick<RequirementDocument, "id" | "level" | "basis" | "text">;
  readonly verdict: "harness-error" | "fail" | "warn" | "blocked";
  readonly checks: readonly { readonly caseId: string; readonly check: Check; readonly known: boolean }[];
  /** Every check of it is as the baseline says. */
  readonly known: boolean;
  /** It is one of the causes of the run's outcome. */
  readonly decides: boolean;
}

const order = ["harness-error", "fail", "warn", "blocked"] as const;

/** The requirements that a run found not to be met: those that decide its outcome first, and the gravest first. */
export function findingsOf({
  cases,
  requirements,
  baseline,
  run,
}: Pick<ReportDocument, "cases" | "requirements" | "baseline" | "run">): Finding[] {
  const expected = new Set(baseline?.expected.map(({ check }) => check));
  const rows = new Map(requirements.map((row) => [row.id, row]));
  const found = new Map<
    string,
    { verdict: Finding["verdict"]; checks: { caseId: string; check: Check; known: boolean }[] }
  >();
  for (const { id: caseId, checks } of cases) {
    for (const check of checks) {
      const verdict = order.find((one) => one === check.verdict);
      if (verdict === undefined) continue;
      const entry = found.get(check.req) ?? { verdict, checks: [] };
      entry.checks.push({ caseId, check, known: expected.has(check.id) });
      if (order.indexOf(verdict) < order.indexOf(entry.verdict)) entry.verdict = verdict;
      found.set(check.req, entry);
    }
  }
  return [...found]
    .map(([id, { verdict, checks }]) => {
      const worstFirst = checks.sort((a, b) => rank(a.check) - rank(b.check));
      const { level, basis } = checks[0]?.check ?? ({ level: "must", basis: "stated" } as const);
      return {
        requirement: rows.get(id) ?? { id, level, basis, text: "" },
        verdict,
        checks: worstFirst,
        known: checks.every(({ known }) => known),
        decides: checks.some(({ check, known }) => !known && decides(check, run)),
      };
    })
    .sort(
      (a, b) =>
        Number(b.decides) - Number(a.decides) ||
        order.indexOf(a.verdict) - order.indexOf(b.verdict) ||
        (a.requirement.id < b.requirement.id ? -1 : 1),
    );
}

function rank({ verdict }: Check): number {
  return order.findIndex((one) => one === verdict);
}
