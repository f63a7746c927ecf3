import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { Diagnostic } from "../../src/index.js";

/** One line of the reports of a cell: a process that began, or a fact that it did not say as it is. */
export interface Report {
  readonly by: "agent" | "gateway";
  readonly pid: number;
  readonly fact?: string | undefined;
}

/** Notes this process and what it reports in the file in MATRIX_REPORTS. */
export function reportsAs(by: Report["by"]): (diagnostic: Diagnostic) => void {
  const write = (fact?: string): void => {
    const report: Report = { by, pid: process.pid, fact };
    appendFileSync(process.env["MATRIX_REPORTS"] ?? "", `${JSON.stringify(report)}\n`);
  };
  write();
  return ({ id, message }) => {
    const [, fact] = /^[a-z-]+: ([a-z_]+) is (?:approximated|not said)/.exec(message) ?? [];
    if (id.startsWith("agent.") && fact !== undefined) write(fact);
  };
}

/** The reports so far. */
export function reportsIn(file: string): Report[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Report);
}
