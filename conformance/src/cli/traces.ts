import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../core/errors.js";
import type { RunReport } from "../core/verdict/report.js";
import { writeTrace } from "../trace/file.js";

/**
 * Writes the bytes and messages of each case to a file, `<case>.ndjson`, which `check` reads. Throws a `UsageError` for
 * a folder that cannot be written.
 */
export function writeTraces({ cases }: RunReport, folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    for (const { id, trace } of cases) {
      if (trace.length > 0) writeFileSync(join(folder, `${id.replace(/[^\w.@-]/g, "_")}.ndjson`), writeTrace(trace));
    }
  } catch (error) {
    throw new UsageError(`cannot write traces to ${folder}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
