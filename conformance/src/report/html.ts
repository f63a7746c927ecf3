import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { packageRoot } from "../core/registry/package-root.js";
import type { ReportDocument } from "./document.js";

/**
 * Reports as one HTML file that needs no network and runs no script but its own. The data is in it as base64, so that
 * nothing of what a target said can be read as HTML. Throws an `Error` in a clone in which the page was not built.
 */
export function htmlReport(reports: readonly ReportDocument[]): string {
  const page = readPage(join(packageRoot(), "assets/report.html"));
  const data = gzipSync(JSON.stringify({ reports })).toString("base64");
  return page.replace("@@DATA@@", () => data);
}

function readPage(file: string): string {
  if (!existsSync(file)) throw new Error(`${file} is missing: npm install and npm run build write it`);
  return readFileSync(file, "utf8");
}
