import type { Check } from "../core/verdict/check.js";
import type { ReportDocument } from "./document.js";
import { findingsOf } from "./findings.js";
import { valueText } from "./value-text.js";
import { visible } from "./visible.js";

/** GitHub shows ten of each kind. */
const MAX_EACH = 10;
const MAX_TEXT = 1_000;

/**
 * A run as workflow commands, which GitHub shows as annotations: an error for a violated must, a warning for the rest.
 */
export function githubReport(report: ReportDocument): string {
  const { run, outcome, error, counts, cases } = report;
  const suite = `${run.protocol} ${run.role}`;
  const lines: string[] = [];
  if (error !== undefined) lines.push(command("error", `${suite}: ${outcome}`, error));
  const broken = cases.filter(({ verdict }) => verdict === "harness-error").slice(0, MAX_EACH);
  for (const { id, reason } of broken)
    lines.push(command("error", `${suite}: the suite is wrong in ${id}`, shortened(reason ?? "")));
  const open = findingsOf(report).filter(({ known }) => !known);
  for (const kind of ["error", "warning"] as const) {
    const ofKind = open.filter(
      ({ verdict, checks }) =>
        (verdict === "harness-error" || (verdict === "fail" && decides(checks[0]?.check, run))
          ? "error"
          : "warning") === kind,
    );
    for (const { requirement, verdict, checks } of ofKind.slice(0, MAX_EACH)) {
      const { check, caseId } = checks[0] ?? {};
      const text = [requirement.text];
      if (check?.message !== undefined) text.push(check.message);
      if (check?.expected !== undefined) text.push(`expected: ${check.expected}`);
      if (check?.actual !== undefined)
        text.push(`actual: ${typeof check.actual === "string" ? check.actual : valueText(check.actual)}`);
      text.push(`in ${caseId}${checks.length > 1 ? ` and ${checks.length - 1} more` : ""}`);
      lines.push(command(kind, `${suite}: ${verdict} ${requirement.id}`, text.map(shortened).join("\n")));
    }
  }
  if (counts.failed > 0 && lines.length === 0) lines.push(command("error", suite, outcome));
  return lines.map((line) => `${line}\n`).join("");
}

/** Only a violated must whose basis decides the outcome is an error. */
function decides(check: Check | undefined, { basis }: ReportDocument["run"]): boolean {
  return check === undefined || basis.includes(check.basis);
}

function command(kind: "error" | "warning", title: string, message: string): string {
  const escaped = (text: string): string =>
    visible(text).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
  return `::${kind} title=${escaped(title).replace(/:/g, "%3A").replace(/,/g, "%2C")}::${escaped(message)}`;
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
