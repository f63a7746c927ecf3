import { endTerminal, openTerminal } from "@editwire/example-terminal-client";
import { fixIncidents } from "./fix.js";
import { IncidentFileError, readIncidents } from "./incidents/read-incidents.js";
import { type CliOptions, parseOptions } from "./options.js";
import { createProgressBar, type ProgressBar } from "./progress-bar.js";

async function run(options: CliOptions): Promise<void> {
  const list = await readIncidents(options.file, { report: options.reportRoot, project: options.cwd });
  let bar: ProgressBar | undefined;
  const terminal = openTerminal({ spinner: (stream) => (bar = createProgressBar(stream)) });
  endTerminal(terminal, await fixIncidents(list, options, { ...terminal, bar }));
}

const options = parseOptions(process.argv.slice(2));
if (typeof options === "number") process.exitCode = options;
else {
  try {
    await run(options);
  } catch (error) {
    if (!(error instanceof IncidentFileError)) throw error;
    console.error(`kaiak-client: ${error.message}`);
    process.exitCode = 2;
  }
}
