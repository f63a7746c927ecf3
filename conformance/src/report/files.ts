import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "../core/errors.js";
import { badgeEndpoint, badgeSvg } from "./badge.js";
import type { ReportDocument } from "./document.js";
import { githubReport } from "./github.js";
import { htmlReport } from "./html.js";
import { junitReport } from "./junit.js";
import { markdownReport } from "./markdown.js";

interface Writer {
  /** Which traces it wants. */
  readonly traces: "failed" | "all" | "none";
  write(report: ReportDocument): string;
}

const writers = {
  json: { traces: "failed", write: (report) => `${JSON.stringify(report)}\n` },
  junit: { traces: "none", write: junitReport },
  html: { traces: "all", write: (report) => htmlReport([report]) },
  md: { traces: "none", write: markdownReport },
  badge: { traces: "none", write: badgeSvg },
  shields: { traces: "none", write: badgeEndpoint },
  github: { traces: "none", write: githubReport },
} satisfies Record<string, Writer>;

/** A kind of report file. */
export type ReportFormat = keyof typeof writers;

/** The names of all kinds of report files. */
export const reportFormats = Object.keys(writers) as readonly ReportFormat[];

/** A report that was asked for; the file `-` is stdout. */
export interface ReportFile {
  readonly format: ReportFormat;
  readonly file: string;
}

/**
 * Reads what `--report` was given, such as `json=out.json,junit=j.xml,github`, and makes the folders, so that a run is
 * not lost for want of one. Throws a `UsageError` for a format that is not there, a missing file, and two reports on
 * stdout.
 */
export function parseReports(specs: readonly string[]): ReportFile[] {
  const files = specs
    .flatMap((spec) => spec.split(","))
    .filter((part) => part !== "")
    .map(parseOne);
  const onStdout = files.filter(({ file, format }) => file === "-" && format !== "github");
  if (onStdout.length > 1)
    throw new UsageError(`only one report can go to stdout, not ${onStdout.map(({ format }) => format).join(" and ")}`);
  for (const { file } of files) if (file !== "-") orRefuse(file, () => mkdirSync(dirname(file), { recursive: true }));
  return files;
}

function orRefuse(file: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parseOne(part: string): ReportFile {
  const equals = part.indexOf("=");
  const name = equals < 0 ? part : part.slice(0, equals);
  const format = reportFormats.find((one) => one === name);
  if (format === undefined)
    throw new UsageError(`unknown report format "${name}"; the formats are ${reportFormats.join(", ")}`);
  const file = equals < 0 ? "" : part.slice(equals + 1);
  if (file !== "") return { format, file };
  // Annotations are for the log of a workflow.
  if (format === "github") return { format, file: "-" };
  throw new UsageError(`--report ${format} needs a file: ${format}=FILE, or ${format}=- for stdout`);
}

/**
 * Writes reports of one run. `document` makes its document with the traces that a format wants, unless `traces` says
 * which ones.
 */
export function writeReports(
  files: readonly ReportFile[],
  document: (traces: Writer["traces"]) => ReportDocument,
  traces?: Writer["traces"],
): void {
  for (const { format, file } of files) {
    const writer: Writer = writers[format];
    const text = writer.write(document(traces ?? writer.traces));
    if (file === "-") process.stdout.write(text);
    else orRefuse(file, () => writeFileSync(file, text));
  }
}
