import { caseReport } from "./terminal-verbose.js";
import { summaryReport } from "./terminal-summary.js";
import { verdictLine } from "./verdict-line.js";
import { profileOf } from "../core/talk/find.js";
import { lookupIn, registryIn } from "../core/registry/select-in.js";
import type { RunOptions } from "../core/run/options.js";
import { behaviorsBy, missingBehaviors } from "../core/run/behaviors.js";
import { casesIn } from "../core/registry/profile.js";
import type { RunReport } from "../core/verdict/report.js";
import { runConformance } from "../core/run/run.js";
import { selectCases } from "../core/run/select.js";

/** The functions of a test runner such as vitest or node:test. */
export interface TestRunner {
  describe(name: string, body: () => void): void;
  test(name: string, options: { readonly timeout: number }, body: () => Promise<void>): void;
}

/** The first test lasts as long as the run, which has limits of its own. */
const options = { timeout: Infinity };

/**
 * Registers a test for each case, and one for the outcome. The first test starts the run. A failed test shows the
 * case's part of the terminal report. Throws a `UsageError` at once for invalid options.
 */
export function registerConformance({ describe, test }: TestRunner, run: RunOptions): void {
  const { protocol, role, target } = run;
  const behaviors = behaviorsBy(run.behaviors);
  const profile = profileOf(protocol, run.profile);
  const registry = registryIn(protocol.registry(), profile.name);
  const lookup = lookupIn(registry);
  const expectedOf = ({ baseline }: RunReport): Set<string> => new Set(baseline?.expected.map(({ check }) => check));
  let running: Promise<RunReport> | undefined;
  const reported = (): Promise<RunReport> => (running ??= runConformance(run));
  describe(`${protocol.name} ${role} conformance`, () => {
    const cases = casesIn(protocol.cases, registry, profile);
    const selected = selectCases(cases, run, target.transport);
    for (const { id } of selected.filter((one) => missingBehaviors(one, behaviors).length === 0)) {
      test(id, options, async () => {
        const report = await reported();
        const result = report.cases.find((one) => one.id === id);
        if (result === undefined) throw new Error(report.error ?? "the case did not run");
        const expected = expectedOf(report);
        const bad = result.checks.some(
          (check) =>
            ["fail", "blocked", "harness-error"].includes(check.verdict) &&
            report.run.basis.includes(check.basis) &&
            !expected.has(check.id),
        );
        if (bad || result.verdict === "harness-error")
          throw new Error(caseReport(result, expected, { lookup, command: "" }));
      });
    }
    test("outcome", options, async () => {
      const report = await reported();
      if (report.exitCode !== 0) throw new Error(`${verdictLine(report)}\n${summaryReport(report)}`);
    });
  });
}
