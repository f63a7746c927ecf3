import * as z from "zod";
import { UsageError } from "../core/errors.js";
import type { RunReport } from "../core/verdict/report.js";
import { type DocumentOptions, type ReportDocument, reportDocument } from "./document.js";
import { reportSchema } from "./schema.js";

/** A run's report as JSON text, in the form of `report.schema.json`. */
export function jsonReport(report: RunReport, options?: DocumentOptions): string {
  return `${JSON.stringify(reportDocument(report, options))}\n`;
}

/** Reads a JSON report. Throws a `UsageError` that names `file` and what is wrong with it. */
export function readReport(text: string, file: string): ReportDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = reportSchema.safeParse(value);
  if (!parsed.success) throw new UsageError(`${file} is not a conformance report: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
