import { writeFileSync } from "node:fs";
import { Command } from "commander";
import { htmlReport } from "../report/html.js";
import { readReport } from "../report/json.js";
import { provenBy, readText } from "./proven.js";

/** `render <report.json…> -o <file>`: writes JSON reports, of one run or of several, as one HTML file. */
export function renderCommand(): Command {
  return new Command("render")
    .description("makes one HTML file from JSON reports; the file needs no network")
    .argument(
      "<reports...>",
      "files that --report json=FILE wrote; runs with --traces all include the messages of passed cases",
    )
    .requiredOption("-o, --output <file>", "the HTML file; - is stdout")
    .option("--proven <file>", "a kill matrix (written by mutants --json); marks the requirements that it proves")
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
