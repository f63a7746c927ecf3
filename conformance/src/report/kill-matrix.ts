import { isGood } from "../core/verdict/exit-code.js";
import type { KillMatrix } from "../mutants/run-mutants.js";

/** A kill matrix for people: every mutant that did not fare as it should, then the sums. */
export function killMatrixReport({ mutants, controls, proven, unproven, ok }: KillMatrix): string {
  const lines: string[] = [];
  for (const { outcome, cases, run, error } of controls) {
    if (isGood(outcome)) continue;
    lines.push(`the reference itself is ${outcome} over ${run.transport} ${error ?? ""}`);
    for (const { checks, id, reason } of cases) {
      for (const check of checks)
        if (check.verdict !== "pass" && check.verdict !== "not-applicable")
          lines.push(`  ${check.verdict} ${check.id} (${id}) ${check.message ?? reason ?? ""}`);
    }
  }
  for (const { verdict, id, reason, unexpected, killers } of mutants) {
    if (verdict === "killed" || verdict === "benign") continue;
    lines.push(`${verdict}  ${id}  ${reason ?? ""}`);
    for (const check of unexpected) lines.push(`    unexpected: ${check}`);
    for (const check of killers) lines.push(`    killed by: ${check}`);
  }
  const harmful = mutants.filter(({ verdict }) => verdict !== "benign");
  const killed = harmful.filter(({ verdict }) => verdict === "killed").length;
  lines.push(`mutants: ${killed} of ${harmful.length} killed, ${mutants.length - harmful.length} benign ones passed`);
  lines.push(`requirements: ${proven.length} proven, ${unproven.length} judged but not proven`);
  lines.push(ok ? "every mutant fared as it should" : "the suite has a hole");
  return `${lines.join("\n")}\n`;
}
