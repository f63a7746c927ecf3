import type { CaseResult, Check } from "./check.js";

/** Several cases that show one fault of the target, or that cannot be judged for one reason. */
export interface Cause {
  readonly verdict: "fail" | "warn" | "blocked";
  /**
   * The common property of the cases: the message of their checks, or the reason why they are blocked. Empty when they
   * have none.
   */
  readonly message: string;
  /** The requirements whose checks are affected. */
  readonly requirements: readonly string[];
  /** The cases in their order; the first one shows the cause. */
  readonly cases: readonly string[];
  /** The ids of the affected checks. */
  readonly checks: readonly string[];
}

/** Fewer cases than this are reported one by one. */
const SEVERAL = 3;

/**
 * Groups the checks that did not pass by their common properties: the requirement, the verdict and the message. Blocked
 * checks are grouped by the reason alone. `explained` are the ids of checks that the baseline explains.
 */
export function causesOf(cases: readonly CaseResult[], explained: ReadonlySet<string> = new Set()): Cause[] {
  const groups = new Map<string, { verdict: Cause["verdict"]; found: { caseId: string; check: Check }[] }>();
  for (const { id: caseId, checks } of cases) {
    for (const check of checks) {
      const { verdict } = check;
      if ((verdict !== "fail" && verdict !== "warn" && verdict !== "blocked") || explained.has(check.id)) continue;
      const key = keyOf(causeIn(check, checks));
      const group = groups.get(key) ?? { verdict, found: [] };
      group.found.push({ caseId, check });
      groups.set(key, group);
    }
  }
  const order = ["fail", "warn", "blocked"];
  return [...groups.values()]
    .map(({ verdict, found }): Cause => {
      const unique = (list: readonly string[]): string[] => [...new Set(list)];
      return {
        verdict,
        message: found[0]?.check.message ?? "",
        requirements: unique(found.map(({ check }) => check.req)),
        cases: unique(found.map(({ caseId }) => caseId)),
        checks: unique(found.map(({ check }) => check.id)),
      };
    })
    .filter((cause) => cause.cases.length >= SEVERAL)
    .sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict) || b.cases.length - a.cases.length);
}

/** The check of the same case that ended it before this one could be judged; otherwise the check itself. */
export function causeIn(check: Check, checks: readonly Check[]): Check {
  if (check.verdict !== "blocked") return check;
  const failed = checks.find(
    ({ req, verdict }) => verdict === "fail" && check.message?.startsWith(`${req}: `) === true,
  );
  return failed ?? check;
}

/** The same for checks that have the same cause. Numbers, such as times and ids, and quoted words do not count. */
export function keyOf({ verdict, req, message = "" }: Pick<Check, "verdict" | "req" | "message">): string {
  const same = message.replaceAll(/"[^"]*"/g, '"…"').replaceAll(/\d+/g, "N");
  return verdict === "blocked" ? `blocked ${same}` : `${verdict} ${req} ${same}`;
}
