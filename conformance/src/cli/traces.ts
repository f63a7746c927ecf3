import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunReport } from "../core/report.js";
import { writeTrace } from "../trace/file.js";

/** Writes what happened on the wire, a file for each case: `<case>.ndjson`, which `check` reads. */
export function writeTraces({ cases }: RunReport, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const { id, trace } of cases) {
    if (trace.length > 0) writeFileSync(join(folder, `${id.replace(/[^\w.@-]/g, "_")}.ndjson`), writeTrace(trace));
  }
}
