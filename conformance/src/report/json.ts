import type { TraceEntry } from "../trace/trace.js";
import { entryToJson } from "../trace/file.js";
import type { RunReport } from "../core/report.js";

/** Version of the JSON report's form. */
export const reportVersion = 1;

/** A report as JSON text, with the traces of cases that did not pass (or of all). */
export function jsonReport(report: RunReport, { traces = "failed" }: { traces?: "failed" | "all" | "none" | undefined } = {}): string {
  const keeps = (verdict: string): boolean => traces === "all" || (traces === "failed" && !["pass", "info", "not-applicable"].includes(verdict));
  const cases = report.cases.map(({ trace, ...rest }) => ({ ...rest, ...(keeps(rest.verdict) && { trace: trace.map((entry: TraceEntry) => entryToJson(entry)) }) }));
  return JSON.stringify({ version: reportVersion, ...report, cases }, null, 2);
}
