import type { ConformanceProtocol } from "../core/protocol.js";
import type { RunReport } from "../core/verdict/report.js";
import { lookupIn, registryIn } from "../core/registry/select-in.js";
import { type DocumentOptions, type ReportDocument, reportDocument } from "../report/document.js";
import { type ReportFile, writeReports } from "../report/files.js";
import { terminalReport } from "../report/terminal.js";
import { paintFor } from "./paint.js";

/** The forms of a run's report, and where each of them is written. */
export interface OutputOptions {
  readonly protocol: ConformanceProtocol;
  readonly files: readonly ReportFile[];
  readonly traces?: DocumentOptions["traces"];
  readonly proven?: readonly string[] | undefined;
  /** The command that repeats the run. */
  readonly command: string;
  /** Tells people about every case that did not pass. */
  readonly verbose?: boolean | undefined;
}

/**
 * Writes the reports that `--report` names. The report for people goes to stdout, or to stderr when another report goes
 * to stdout.
 */
export function reportRun(
  report: RunReport,
  { protocol, files, traces, proven, command, verbose }: OutputOptions,
): void {
  const people = files.some(({ file, format }) => file === "-" && format !== "github")
    ? process.stderr
    : process.stdout;
  const documents = new Map<DocumentOptions["traces"], ReportDocument>();
  const document = (wanted: DocumentOptions["traces"]): ReportDocument => {
    const made = documents.get(wanted) ?? reportDocument(report, { protocol, traces: wanted, proven, command });
    documents.set(wanted, made);
    return made;
  };
  try {
    writeReports(files, document, traces);
  } finally {
    people.write(
      terminalReport(report, {
        lookup: lookupIn(registryIn(protocol.registry(), report.run.profile)),
        command,
        verbose,
        width: people.columns || Number(process.env["COLUMNS"]) || undefined,
        paint: paintFor(people),
      }),
    );
  }
}
