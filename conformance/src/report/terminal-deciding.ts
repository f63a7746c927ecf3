import { isObject } from "@editwire/core";
import type { Check } from "../core/verdict/check.js";
import type { RunReport } from "../core/verdict/report.js";
import { levelText } from "../core/registry/requirement.js";
import type { TraceEntry } from "../trace/trace.js";
import { entryText } from "./arrow.js";
import { type Deciding, decidingIn } from "./deciding.js";
import { notJudgedLine } from "./not-judged.js";
import { indented, plain } from "./paint.js";
import { repeatOf } from "./repeat.js";
import type { TerminalOptions } from "./terminal-options.js";
import { valueText } from "./value-text.js";
import { visibleLine } from "./visible.js";

/** How many names a line has. */
const NAMED = 4;
/** How many lines the sentence of a requirement may take. */
const SENTENCE_LINES = 2;
/** How many entries of a baseline are listed. */
const LISTED = 8;

/** The findings that decided the outcome, the others, and the next step, in at most `most` lines. */
export function decidingLines(report: RunReport, options: TerminalOptions & { readonly most: number }): string[] {
  const { most } = options;
  const isCut = report.outcome === "target-error" || report.outcome === "interrupted";
  // Such a run has blocked its cases for the reason that the verdict gives.
  const groups = decidingIn(report).filter(({ check }) => !isCut || check.verdict !== "blocked");
  const first = [...harnessErrors(report, options), ...baselineLines(report, options)];
  const end = [...restLines(report, groups), "", ...nextLines(report, groups, options)];
  const lines = [...first];
  let shown = 0;
  for (const group of groups) {
    const block = groupLines(report, group, options);
    // One line is for those that are left.
    if (lines.length + block.length + end.length + 1 > most && shown > 0) break;
    lines.push(...block);
    shown += 1;
  }
  if (shown < groups.length) {
    const names = groups.slice(shown).flatMap(({ requirements }) => requirements);
    lines.push(`… and ${groups.length - shown} more causes: ${some([...new Set(names)])}`, "");
  }
  return [...lines, ...end];
}

/** One cause: the requirement, its sentence, what was expected, the two messages, and the cases. */
function groupLines(report: RunReport, group: Deciding, options: TerminalOptions): string[] {
  const { lookup, paint = plain, width = 80 } = options;
  const { check, caseId, cases, requirements } = group;
  const { req, level, basis, verdict, message, expected, actual } = check;
  const { text, quotes } = lookup(req);
  const sentence = quotes?.[0]?.text;
  const isBlocked = verdict === "blocked";
  const names = isBlocked ? some(requirements) : req;
  const how = isBlocked ? "" : `${levelText({ level, basis })}, `;
  const title = `${verdict}  ${names}  ${how}in ${counted(cases, caseId)}`;
  const cut = (line: string): string => shortened(visibleLine(line), width);
  const facts = [
    ...(message === undefined ? [] : [`  ${message}`]),
    ...(expected === undefined || isBlocked ? [] : [`  expected: ${expected}`]),
    ...(actual === undefined || isBlocked
      ? []
      : [`    actual: ${typeof actual === "string" ? actual : valueText(actual)}`]),
  ];
  return [
    paint(verdict === "warn" ? "yellow" : "red", cut(title)),
    ...(isBlocked
      ? []
      : wrapped(sentence === undefined ? text : `"${sentence}"`, width - 2).map((line) => `  ${line}`)),
    ...facts.map(cut),
    ...trafficOf(report, group).map((line) => paint("dim", cut(line))),
    "",
  ];
}

const counted = (cases: readonly string[], first: string): string =>
  cases.length === 1 ? first : `${cases.length} cases, such as ${first}`;

/** The message that decided a check, and the one that it answers or follows. */
function trafficOf({ cases }: RunReport, { caseId, check }: Deciding): string[] {
  const messages = (cases.find(({ id }) => id === caseId)?.trace ?? []).filter(
    ({ kind, from }) => (kind === "message" || kind === "malformed") && from !== "model",
  );
  const at = messages.findLast(({ seq }) => check.at !== undefined && seq <= check.at) ?? messages.at(-1);
  if (at === undefined) return [];
  const line = (entry: TraceEntry): string =>
    `  ${entry.from === "suite" ? "suite  ->" : "target <-"} ${entryText(entry)}`;
  const before = messages.filter(({ seq }) => seq < at.seq);
  if (at.from === "suite") return [line(at), "  target <- (nothing)"];
  const asked = before.findLast((entry) => entry.from === "suite" && isSame(entry, at));
  const other = asked ?? before.findLast(({ from }) => from === "suite");
  return [...(other === undefined ? [] : [line(other)]), line(at)];
}

/** Whether a message is the request that another one answers. */
function isSame(request: TraceEntry, answer: TraceEntry): boolean {
  if (request.kind !== "message" || answer.kind !== "message") return false;
  const [asked, said] = [request.message, answer.message];
  if (!isObject(asked) || !isObject(said) || said["id"] === undefined || "method" in said) return false;
  return "method" in asked && asked["id"] === said["id"];
}

function harnessErrors({ cases }: RunReport, { paint = plain }: TerminalOptions): string[] {
  const broken = cases.filter(({ verdict }) => verdict === "harness-error");
  return broken
    .slice(0, 1)
    .flatMap(({ id, reason = "" }) => [
      paint("red", `the suite itself failed in ${broken.length} case(s), such as ${id}`),
      ...indented(reason).slice(0, LISTED),
      "",
    ]);
}

function baselineLines({ baseline }: RunReport, { paint = plain }: TerminalOptions): string[] {
  if (baseline === undefined) return [];
  const lines = (["stale", "unmatched", "expired", "different"] as const).flatMap((kind) =>
    baseline[kind].map((check) => paint("red", visibleLine(`baseline: ${kind}: ${check}`))),
  );
  if (lines.length === 0) return [];
  const more = lines.length > LISTED ? [`… and ${lines.length - LISTED} more`] : [];
  return [...lines.slice(0, LISTED), ...more, ""];
}

/** The findings that do not decide the outcome. */
function restLines(report: RunReport, groups: readonly Deciding[]): string[] {
  const { requirements, baseline, cases } = report;
  const known = new Set(baseline?.expected.map(({ check }) => check));
  const open = new Set(
    cases.flatMap(({ checks }) =>
      checks.flatMap(({ id, req, verdict }) => (isOpen(verdict) && !known.has(id) ? [req] : [])),
    ),
  );
  const deciding = new Set(groups.flatMap(({ requirements: ids }) => ids));
  const rest = requirements.filter(({ id }) => open.has(id) && !deciding.has(id)).map(({ id }) => id);
  const notJudged = notJudgedLine(report);
  return [
    ...(rest.length === 0 ? [] : [`not met, without deciding: ${some(rest)}`]),
    ...(known.size === 0 ? [] : [`as the baseline says: ${known.size} checks`]),
    ...(notJudged === undefined ? [] : [notJudged]),
  ];
}

const isOpen = (verdict: Check["verdict"]): boolean => verdict === "fail" || verdict === "warn";

function nextLines(report: RunReport, [first]: readonly Deciding[], { command }: TerminalOptions): string[] {
  if (command === "") return [];
  const more = "more:    --verbose for all of it, --report html=report.html for a page with every message";
  if (report.exitCode === 0 || first === undefined) return [more];
  const self = command.slice(0, command.indexOf(" run "));
  return [
    ...(first.caseId === "calibration" ? [] : [`repeat:  ${repeatOf(command, first.caseId)}`]),
    `explain: ${self} explain ${first.check.req}`,
    more,
    ...(report.outcome === "interrupted"
      ? []
      : ["accept:  --write-baseline known.yaml keeps what you cannot mend yet"]),
  ];
}

function some(names: readonly string[]): string {
  const more = names.length - NAMED;
  return `${names.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function shortened(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}

/** A sentence in lines of a width; what does not fit is cut. */
function wrapped(text: string, width: number): string[] {
  const lines = [""];
  for (const word of visibleLine(text).split(/\s+/)) {
    const last = lines.at(-1) ?? "";
    const line = last === "" ? word : `${last} ${word}`;
    if (line.length <= width || last === "") lines[lines.length - 1] = line;
    else lines.push(word);
  }
  if (lines.length <= SENTENCE_LINES) return lines.map((line) => shortened(line, width));
  return [...lines.slice(0, SENTENCE_LINES - 1), shortened(lines.slice(SENTENCE_LINES - 1).join(" "), width)];
}
