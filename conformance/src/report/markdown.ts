import { levelText } from "../core/registry/requirement.js";
import { countLine, levelDenominators, statuses } from "./counts.js";
import type { ReportDocument } from "./document.js";
import { type Finding, findingsOf } from "./findings.js";
import { notJudgedLine } from "./not-judged.js";
import { valueText } from "./value-text.js";
import { verdictLine } from "./verdict-line.js";
import { visible, visibleLine } from "./visible.js";

/** A job summary on GitHub may have 1 MiB. */
const MAX_FINDINGS = 50;
const MAX_VALUE = 400;

/** A run as Markdown, for the summary of a CI job. */
export function markdownReport(report: ReportDocument): string {
  const { run, target, outcome, counts, error, command, baseline, cases } = report;
  const name = [target.name, target.version].filter((part) => part !== undefined).join(" ");
  const lines = [
    `## ${report.exitCode === 0 ? "✅" : "❌"} ${run.protocol} ${run.role}: ${outcome}`,
    "",
    html(verdictLine(report)),
    "",
    [
      `Target ${name === "" ? "without a name" : code(name)}`,
      `profile ${code(run.profile)}`,
      run.transport,
      `seed ${run.seed}`,
      `${(run.ms / 1000).toFixed(1)} s`,
    ].join(" · "),
    "",
  ];
  if (error !== undefined) lines.push(...fenced(error), "");
  lines.push(...table(report), "", ...verdictTable(report), "");
  const broken = cases.filter(({ verdict }) => verdict === "harness-error").slice(0, MAX_FINDINGS);
  for (const { id, reason } of broken)
    lines.push(`The suite itself failed in ${code(id)}:`, "", ...fenced(reason ?? ""), "");
  const findings = findingsOf(report);
  const open = findings.filter(({ known }) => !known);
  for (const finding of open.slice(0, MAX_FINDINGS)) lines.push(...block(finding), "");
  if (open.length > MAX_FINDINGS)
    lines.push(`… and ${open.length - MAX_FINDINGS} more requirements that are not met.`, "");
  if (findings.length > open.length)
    lines.push(`${findings.length - open.length} more are not met, as the baseline says.`, "");
  for (const kind of ["stale", "unmatched", "expired", "different"] as const) {
    for (const check of baseline?.[kind] ?? []) lines.push(`- baseline, ${kind}: ${code(check)}`);
  }
  const notJudged = notJudgedLine(report);
  if (notJudged !== undefined) lines.push(notJudged, "");
  if (command !== undefined) lines.push("Repeat it:", "", ...fenced(command, "sh"), "");
  lines.push(countLine(counts), "");
  return lines.join("\n");
}

/** One row for each basis of musts. */
function verdictTable({ verdicts, run }: ReportDocument): string[] {
  return [
    "| requirements that are | verdict | met | violated | blocked |",
    "|---|---|---:|---:|---:|",
    ...verdicts.map(({ basis, outcome, musts, met, violated, blocked }) => {
      const name = run.basis.includes(basis) ? `**${basis}**` : basis;
      const sums = `${met} of ${musts} | ${violated.length} | ${blocked.length}`;
      return `| ${name} | ${musts === 0 ? "none" : outcome} | ${sums} |`;
    }),
  ];
}

function table(report: ReportDocument): string[] {
  const rows = levelDenominators(report);
  const used = statuses.filter((status) => rows.some(({ counts }) => (counts[status] ?? 0) > 0));
  return [
    `| | all | ${used.join(" | ")} |`,
    `| --- | ---: | ${used.map(() => "---:").join(" | ")} |`,
    ...rows.map(
      ({ name, total, counts }) => `| ${name} | ${total} | ${used.map((status) => counts[status] ?? "").join(" | ")} |`,
    ),
  ];
}

function block({ requirement, verdict, checks }: Finding): string[] {
  const first = checks[0];
  const { id, text } = requirement;
  const lines = [
    "<details>",
    `<summary><b>${verdict}</b> <code>${html(id)}</code> (${levelText(requirement)}) ${html(text)}</summary>`,
    "",
  ];
  if (first?.check.message !== undefined) lines.push(...fenced(first.check.message), "");
  if (first?.check.expected !== undefined) lines.push("Expected:", "", ...fenced(first.check.expected), "");
  if (first?.check.actual !== undefined)
    lines.push(
      "Actual:",
      "",
      ...fenced(typeof first.check.actual === "string" ? first.check.actual : valueText(first.check.actual)),
      "",
    );
  const cases = [...new Set(checks.map(({ caseId }) => caseId))];
  lines.push(
    `In ${cases.slice(0, 10).map(code).join(", ")}${cases.length > 10 ? ` and ${cases.length - 10} more` : ""}.`,
    "",
    "</details>",
  );
  return lines;
}

/** A code span that its content cannot end. */
function code(text: string): string {
  const line = visibleLine(shortened(text)).replace(/\|/g, "\\|");
  const ticks = "`".repeat(longestRun(line) + 1);
  return /^`|`$/.test(line) ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
}

/** A code block that its content cannot end. */
function fenced(text: string, language = ""): string[] {
  const content = visible(language === "" ? shortened(text) : text);
  const fence = "`".repeat(Math.max(3, longestRun(content) + 1));
  return [`${fence}${language}`, content, fence];
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

function html(text: string): string {
  return visibleLine(text).replace(/[&<>"'`*_[\]\\@#]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function shortened(text: string): string {
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
