import type { RunReport } from "../core/verdict/report.js";
import { countLine, testCounts } from "./counts.js";
import { indented, plain } from "./paint.js";
import { decidingLines } from "./terminal-deciding.js";
import type { TerminalOptions } from "./terminal-options.js";
import { summaryReport } from "./terminal-summary.js";
import { verboseLines } from "./terminal-verbose.js";
import { verdictLine } from "./verdict-line.js";
import { visibleLine } from "./visible.js";

/** The most lines of a report that is not verbose, but for lines that a narrow terminal breaks. */
const MOST = 40;
/** The most lines of an error, with the end of what the target wrote on stderr. */
const ERROR_LINES = 14;
const NOTES = 2;

/**
 * The report for people: the verdict in one sentence, what decided it, and what to do next. `N passed, N failed,
 * N skipped` comes last.
 */
export function terminalReport(report: RunReport, options: TerminalOptions): string {
  const { paint = plain, verbose = false } = options;
  const { run, target, error, notes = [], exitCode } = report;
  const name = [target.name ?? "unnamed", target.version].filter((part) => part !== undefined).join(" ");
  const why = error === undefined ? [] : indented(error);
  const head = [
    paint("bold", visibleLine(`${run.protocol} ${run.role} · ${run.profile} · ${run.target}`)),
    visibleLine(`${name} · ${run.transport} · seed ${run.seed} · ${(run.ms / 1_000).toFixed(1)} s`),
    ...notes.slice(0, verbose ? notes.length : NOTES).map((note) => paint("yellow", visibleLine(`note: ${note}`))),
    "",
    paint(exitCode === 0 ? "green" : "red", verdictLine(report)),
    ...(verbose ? why : why.slice(0, ERROR_LINES)),
    "",
  ];
  const body = verbose
    ? [...verboseLines(report, options), summaryReport(report, options)]
    : decidingLines(report, { ...options, most: MOST - head.length - 1 });
  return `${[...head, ...body, countLine(testCounts(report))].join("\n")}\n`;
}
