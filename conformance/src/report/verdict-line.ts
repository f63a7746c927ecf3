import type { Outcome } from "../core/verdict/exit-code.js";
import type { BasisVerdict, RunReport } from "../core/verdict/report.js";
import type { Verdict } from "../core/verdict/verdict.js";
import { counted } from "./counts.js";
import { decidingIn } from "./deciding.js";
import { visibleLine } from "./visible.js";

type Judged = Pick<RunReport, "outcome" | "exitCode" | "verdicts" | "run" | "baseline" | "error"> & {
  readonly cases: readonly Pick<RunReport["cases"][number], "id" | "checks">[];
};

/** The outcome, the exit code, and the verdict in one sentence. */
export function verdictLine(report: Judged): string {
  return `${report.outcome} (exit ${report.exitCode}): ${verdictSentence(report)}`;
}

/** The verdict in one sentence. */
export function verdictSentence(report: Judged): string {
  const { outcome, verdicts, run, cases, baseline, error } = report;
  const deciding = verdicts.filter(({ basis }) => run.basis.includes(basis));
  const sum = (count: (verdict: BasisVerdict) => number): number => deciding.reduce((all, one) => all + count(one), 0);
  const found = decidingIn(report);
  const of = (verdict: Verdict): number =>
    new Set(found.flatMap(({ check, requirements }) => (check.verdict === verdict ? requirements : []))).size;
  const musts = counted(
    sum((one) => one.musts),
    "must",
  );
  const met = `${sum((one) => one.met)} of ${musts} ${sum((one) => one.met) === 1 ? "is" : "are"} met`;
  const judged = `${sum((one) => one.met + one.violated.length)} of ${sum((one) => one.musts)}`;
  const ran = cases.filter(({ id }) => id !== "calibration").length;
  const sentences: Readonly<Record<Outcome, () => string>> = {
    conformant: () => `the whole suite ran, and ${met}`,
    passed: () => `no must is violated${baseline === undefined ? "" : " beyond the baseline"}; ${judged} were judged`,
    violated: () => {
      const shoulds = of("warn") > 0 ? ` and ${counted(of("warn"), "should")}` : "";
      const wrong = (baseline?.different.length ?? 0) + (baseline?.expired.length ?? 0);
      if (found.length === 0) return `${counted(wrong, "entry")} of the baseline no longer hold`;
      return `the target violates ${of("fail")} of ${musts}${shoulds}`;
    },
    incomplete: () =>
      error ?? (of("blocked") > 0 ? `${of("blocked")} of ${musts} could not be judged` : "no case judged a must"),
    "stale-baseline": () =>
      `${counted((baseline?.stale.length ?? 0) + (baseline?.unmatched.length ?? 0), "entry")} of the baseline must go`,
    "target-error": () => "the target could not be judged",
    "harness-error": () => "the suite itself failed",
    "usage-error": () => "the options are wrong",
    interrupted: () => `${ran} of ${counted(run.selected, "case")} ran`,
  };
  return visibleLine(sentences[outcome]());
}
