import type { ConformanceProtocol } from "../core/protocol.js";
import { suiteInfo } from "../core/registry/package-root.js";
import type { RequirementResult, RunReport } from "../core/verdict/report.js";
import type { CaseResult } from "../core/verdict/check.js";
import { jsonOf } from "./value-text.js";
import { type TestCounts, testCounts } from "./counts.js";
import { type EntryDocument, traceDocument, valueDocument } from "./trace-document.js";

/** Version of the report document's form. */
export const reportVersion = 1;

/** Characters of all traces together; a document has to fit into one string of JavaScript, and into a browser. */
const MAX_TRACES = 96 * 1024 * 1024;

/** A case in a report. */
export interface CaseDocument extends Omit<CaseResult, "trace"> {
  readonly trace?: readonly EntryDocument[] | undefined;
  /** Why there is no trace. */
  readonly omitted?: string | undefined;
}

/** A requirement in a report. */
export interface RequirementDocument extends RequirementResult {
  /** Whether a broken reference showed that a check of it can fail; absent when nobody looked. */
  readonly proven?: boolean | undefined;
}

/** A run's report as plain data: what the JSON report holds, and what all files are made from. */
export interface ReportDocument extends Omit<RunReport, "cases" | "requirements"> {
  readonly version: typeof reportVersion;
  /** The suite itself. */
  readonly suite: { readonly name: string; readonly version: string };
  /** The command that repeats the run. */
  readonly command?: string | undefined;
  /** The sums in the words of test runners. */
  readonly counts: TestCounts;
  readonly cases: readonly CaseDocument[];
  readonly requirements: readonly RequirementDocument[];
}

/** How a run becomes a document. */
export interface DocumentOptions {
  /** Reads the messages; without it a report shows them but cannot tell requests from responses. */
  readonly protocol?: Pick<ConformanceProtocol, "envelope"> | undefined;
  /** Which cases keep their traces: those that did not pass (`failed`, the default), all or none. */
  readonly traces?: "failed" | "all" | "none" | undefined;
  /** The command that repeats the run. */
  readonly command?: string | undefined;
  /** Requirements that a kill matrix has proven. */
  readonly proven?: readonly string[] | undefined;
}

/** Makes the document of a run. */
export function reportDocument(
  report: RunReport,
  { protocol, traces = "failed", command, proven }: DocumentOptions = {},
): ReportDocument {
  const budget = { left: MAX_TRACES };
  const cases = new Map<CaseResult, CaseDocument>();
  const keeps = (result: CaseResult): boolean => traces === "all" || (traces === "failed" && !isFine(result));
  // Failures come first, in case that not everything fits.
  for (const result of [...report.cases].sort((a, b) => Number(isFine(a)) - Number(isFine(b)))) {
    const { trace, checks, ...rest } = result;
    const entries = new Set(trace.map(({ seq }) => seq));
    const checked = checks.map(({ at, ...check }) => ({
      ...check,
      ...("actual" in check && { actual: valueDocument(check.actual) }),
      // The trace of a case has no entry for a decision before its first message.
      ...(at !== undefined && entries.has(at) && { at }),
    }));
    const kept = keeps(result)
      ? withinBudget(traceDocument(trace, protocol?.envelope.classify), budget)
      : { omitted: "it was not asked for" };
    cases.set(result, { ...rest, checks: checked, ...kept });
  }
  const { target } = report;
  return {
    version: reportVersion,
    suite: suiteInfo(),
    ...report,
    target: { ...target, ...("capabilities" in target && { capabilities: valueDocument(target.capabilities) }) },
    ...(command !== undefined && { command }),
    counts: testCounts(report),
    cases: report.cases.flatMap((result) => cases.get(result) ?? []),
    requirements: report.requirements.map((row) => ({ ...row, ...(proven && { proven: proven.includes(row.id) }) })),
  };
}

function isFine({ verdict }: CaseResult): boolean {
  return verdict === "pass" || verdict === "info" || verdict === "not-applicable";
}

function withinBudget(
  trace: readonly EntryDocument[],
  budget: { left: number },
): Pick<CaseDocument, "trace" | "omitted"> {
  budget.left -= jsonOf(trace)?.length ?? Number.POSITIVE_INFINITY;
  return budget.left >= 0 ? { trace } : { omitted: "the report would be too large" };
}
