import { type Cause, causeIn, causesOf, keyOf } from "../core/verdict/causes.js";
import type { CaseResult, Check, Lookup } from "../core/verdict/check.js";
import type { RunReport } from "../core/verdict/report.js";
import { levelText } from "../core/registry/requirement.js";
import { lastMessages } from "../core/talk/conversation.js";
import { arrowLine } from "./arrow.js";
import { repeatOf } from "./repeat.js";
import { indented, type Paint, plain } from "./paint.js";
import type { TerminalOptions } from "./terminal-options.js";
import { valueText } from "./value-text.js";
import { visibleLine } from "./visible.js";

const LAST = 12;

/** The number of entries to show after the message that decided a check. */
const AFTER = 3;

/** How many cases with the same fault are named. */
const LISTED = 8;
const WIDTH = 300;
const shown: readonly string[] = ["fail", "warn", "blocked", "harness-error"];

/** One block for each case that did not pass, after what several of them have in common. */
export function verboseLines(report: RunReport, options: TerminalOptions): string[] {
  const { paint = plain } = options;
  const { cases, baseline } = report;
  const expected = new Set(baseline?.expected.map(({ check }) => check));
  const lines: string[] = [];
  const causes = causesOf(begun(cases), expected);
  lines.push(...causeLines(causes, options));
  const unreached = new Map<string, string[]>();
  for (const result of cases) {
    if (!hasBegun(result)) {
      const reason = result.reason ?? "";
      unreached.set(reason, [...(unreached.get(reason) ?? []), `${result.id}  [${judgedIn(result)}]`]);
      continue;
    }
    const text = caseReport(result, new Set([...expected, ...followUps(result, causes)]), options);
    if (text !== "") lines.push(text, "");
  }
  for (const [reason, ids] of unreached) {
    lines.push(
      paint("red", `blocked  ${ids.length} case(s) that did not begin: ${visibleLine(reason)}`),
      ...listed(ids).map((id) => `  ${id}`),
      "",
    );
  }
  return lines;
}

/** The first names of a long list; the other reports have all. */
function listed(ids: readonly string[]): string[] {
  return ids.length <= LISTED + 1
    ? [...ids]
    : [...ids.slice(0, LISTED), `… and ${ids.length - LISTED} more, which are in --report json=FILE`];
}

/** The requirements that a case would have judged. */
const judgedIn = ({ checks }: CaseResult): string => checks.map(({ req }) => req).join(", ");

/** A case whose target said and was told something. */
function hasBegun({ verdict, trace }: CaseResult): boolean {
  return verdict !== "blocked" || trace.some(({ kind }) => kind !== "event");
}

const begun = (cases: readonly CaseResult[]): CaseResult[] => cases.filter(hasBegun);

/** The common causes of several cases, before the cases themselves. */
function causeLines(causes: readonly Cause[], { lookup, paint = plain }: TerminalOptions): string[] {
  return causes.flatMap(({ verdict, message, requirements, cases }) => {
    const [first = "", ...rest] = cases;
    const [req = ""] = requirements;
    const what = verdict === "blocked" ? shortened(message) : `${req}: ${lookup(req).text}`;
    return [
      paint(verdict === "warn" ? "yellow" : "red", `${verdict}  in ${cases.length} cases, for one cause: ${what}`),
      ...(message === "" || verdict === "blocked" ? [] : [`  ${shortened(message)}`]),
      `  shown in ${first}; also in`,
      ...listed(rest).map((id) => `    ${id}`),
      "",
    ];
  });
}

/** The checks of a case whose cause is shown in an earlier case. */
function followUps({ id, checks }: CaseResult, causes: readonly Cause[]): string[] {
  const known = new Set(
    causes.flatMap(({ cases, verdict, message, requirements: [req = ""] }) =>
      cases.indexOf(id) > 0 ? [keyOf({ verdict, req, message })] : [],
    ),
  );
  return checks.filter((check) => known.has(keyOf(causeIn(check, checks)))).map((check) => check.id);
}

/** The block of one case, empty when there is nothing to tell: all is well, or as the baseline (`expected`) says. */
export function caseReport(
  result: CaseResult,
  expected: ReadonlySet<string>,
  { lookup, command, paint = plain }: TerminalOptions,
): string {
  const checks = result.checks.filter(({ verdict, id }) => shown.includes(verdict) && !expected.has(id));
  if (checks.length === 0 && result.verdict !== "harness-error") return "";
  const color = result.verdict === "warn" ? "yellow" : "red";
  const lines = [paint(color, `${result.verdict}  ${result.id}`) + paint("dim", `  ${result.title} (${result.ms} ms)`)];
  if (result.reason !== undefined) lines.push(...indented(result.reason));
  for (const check of checks) lines.push(...checkLines(check, result.reason, lookup, paint));
  const at = checks.find((check) => check.verdict !== "blocked" && check.at !== undefined)?.at;
  const upTo = at === undefined ? result.trace : result.trace.filter(({ seq }) => seq <= at + AFTER);
  lines.push(
    ...lastMessages(upTo, LAST).map(
      (entry) => `    ${arrowLine(entry)}${entry.seq === at ? paint("bold", "   <- here") : ""}`,
    ),
  );
  if (command !== "" && result.id !== "calibration") lines.push(`  repeat: ${repeatOf(command, result.id)}`);
  return lines.join("\n");
}

function checkLines(
  { id, req, level, basis, verdict, message, expected, actual }: Check,
  reason: string | undefined,
  lookup: Lookup,
  paint: Paint,
): string[] {
  const lines = [
    `  ${paint(verdict === "warn" ? "yellow" : "red", verdict)} ${id}`,
    `    ${levelText({ level, basis })}: ${lookup(req).text}`,
  ];
  if (message !== undefined && reason?.includes(message) !== true) lines.push(`    ${shortened(message)}`);
  if (expected !== undefined) lines.push(`    expected: ${shortened(expected)}`);
  if (actual !== undefined)
    lines.push(`      actual: ${shortened(typeof actual === "string" ? actual : valueText(actual))}`);
  return lines;
}

function shortened(text: string): string {
  return visibleLine(text.length > WIDTH ? `${text.slice(0, WIDTH)}… (${text.length} characters)` : text);
}
