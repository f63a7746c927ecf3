import { writeFileSync } from "node:fs";
import { Command } from "commander";
import { htmlReport } from "../report/html.js";
import { readReport } from "../report/json.js";
import { provenBy, readText } from "./proven.js";

/** `render <report.json…> -o <file>`: JSON reports, of one run or of several, as one HTML file. */
export function renderCommand(): Command {
  return new Command("render")
    .description("makes one HTML file of JSON reports; it needs no network")
    .argument("<reports...>", "what --report json=FILE wrote; --traces all keeps the messages of cases that passed")
    .requiredOption("-o, --output <file>", "the HTML file; - is stdout")
    .option("--proven <file>", "a kill matrix (mutants --json): marks the requirements that it has proven")
    .action((files: string[], { output, proven }: { output: string; proven?: string }) => {
      const ids = provenBy(proven);
      const reports = files.map((file) => readReport(readText(file), file));
      const marked =
        ids === undefined
          ? reports
          : reports.map((report) => ({
              ...report,
              requirements: report.requirements.map((row) => ({ ...row, proven: ids.includes(row.id) })),
            }));
      const html = htmlReport(marked);
      if (output === "-") process.stdout.write(html);
      else writeFileSync(output, html);
    });
}
