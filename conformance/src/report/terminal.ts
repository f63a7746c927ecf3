import type { Check } from "../core/check.js";
import type { Lookup } from "../core/check.js";
import type { CaseResult, RunReport } from "../core/report.js";
import { lastMessages } from "../core/conversation.js";
import { arrowLine } from "./arrow.js";

const LAST = 12;
const shown: readonly string[] = ["fail", "warn", "blocked", "harness-error"];

/** How the terminal report is written. */
export interface TerminalOptions {
  /** Finds a requirement's text. */
  readonly lookup: Lookup;
  /** The command that repeats the run; a case filter is added to it. */
  readonly command: string;
  /** Wraps text in a colour; default: none. */
  readonly paint?: ((color: "red" | "yellow" | "green" | "dim" | "bold", text: string) => string) | undefined;
}

/** The report for people: one block for each case that did not pass, then the sums. */
export function terminalReport(report: RunReport, options: TerminalOptions): string {
  const { paint = plain } = options;
  const { run, target, cases, outcome, baseline } = report;
  const expected = new Set(baseline?.expected.map(({ check }) => check));
  const lines: string[] = [
    paint("bold", `${run.protocol} ${run.role} · ${run.profile} · ${run.target}`),
    `${target.name ?? "unnamed"} ${target.version ?? ""} · ${run.transport} · seed ${run.seed}`.replace("  ", " "),
    "",
  ];
  for (const result of cases) {
    const text = caseReport(result, expected, options);
    if (text !== "") lines.push(text, "");
  }
  lines.push(summaryReport(report, options));
  lines.push(paint(outcome === "conformant" ? "green" : "red", `${outcome} (exit ${report.exitCode})`));
  return `${lines.join("\n")}\n`;
}

type Paint = NonNullable<TerminalOptions["paint"]>;
const plain: Paint = (_color, text) => text;

/** The block of one case, empty when there is nothing to tell: all is well, or as the baseline (`expected`) says. */
export function caseReport(result: CaseResult, expected: ReadonlySet<string>, { lookup, command, paint = plain }: TerminalOptions): string {
  const checks = result.checks.filter(({ verdict, id }) => shown.includes(verdict) && !expected.has(id));
  if (checks.length === 0 && result.verdict !== "harness-error") return "";
  const color = result.verdict === "warn" ? "yellow" : "red";
  const lines = [paint(color, `${result.verdict}  ${result.id}`) + paint("dim", `  ${result.title} (${result.ms} ms)`)];
  if (result.reason !== undefined) lines.push(`  ${result.reason}`);
  for (const check of checks) lines.push(...checkLines(check, lookup, paint));
  const at = checks.find((check) => check.verdict !== "blocked" && check.at !== undefined)?.at;
  const upTo = at === undefined ? result.trace : result.trace.filter(({ seq }) => seq <= at + 3);
  lines.push(...lastMessages(upTo, LAST).map((entry) => `    ${arrowLine(entry)}${entry.seq === at ? paint("bold", "   <- here") : ""}`));
  if (command !== "" && result.id !== "calibration") lines.push(`  repeat: ${command.replace(" --", ` --filter ${result.id} --`)}`);
  return lines.join("\n");
}

function checkLines({ id, req, level, verdict, message, expected, actual }: Check, lookup: Lookup, paint: Paint): string[] {
  const lines = [`  ${paint(verdict === "warn" ? "yellow" : "red", verdict)} ${id}`, `    ${level}: ${lookup(req).text}`];
  if (message !== undefined) lines.push(`    ${message}`);
  if (expected !== undefined) lines.push(`    expected: ${expected}`);
  if (actual !== undefined) lines.push(`      actual: ${shorten(typeof actual === "string" ? actual : JSON.stringify(actual))}`);
  return lines;
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text;
}

/** The sums of a run, and why it did not get to its end. */
export function summaryReport({ totals, requirements, baseline, error }: RunReport, { paint = plain }: Pick<TerminalOptions, "paint"> = {}): string {
  const { pass, fail, warn, blocked, info } = totals.cases;
  const count = (status: string): number => requirements.filter((row) => row.status === status).length;
  const lines = [
    `cases: ${pass} pass, ${fail} fail, ${warn} warn, ${info} info, ${blocked} blocked, ${totals.cases["not-applicable"]} not applicable`,
    `requirements: ${count("pass")} pass, ${count("fail")} fail, ${count("warn")} warn, ${count("blocked")} blocked, ${count("not-applicable")} not applicable, ${count("untested")} untested`,
  ];
  if (totals.cases["harness-error"] > 0) lines.push(paint("red", `the suite itself is wrong in ${totals.cases["harness-error"]} case(s)`));
  if (error !== undefined) lines.unshift(paint("red", `error: ${error}`));
  if (baseline === undefined) return lines.join("\n");
  lines.push(`baseline: ${baseline.expected.length} as expected`);
  for (const kind of ["stale", "unmatched", "expired", "different"] as const) {
    for (const check of baseline[kind]) lines.push(paint("red", `baseline: ${kind}: ${check}`));
  }
  return lines.join("\n");
}
