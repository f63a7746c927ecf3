// Measures this repository's packages against others. `npm run bench -- --help` says what can be asked for.
import { parseOptions } from "./options.js";
import { runBench } from "./run.js";
import { workloads } from "./workloads/all.js";

const options = parseOptions(
  process.argv.slice(2),
  workloads.map(({ name }) => name),
);
await runBench(options, {
  out: (text) => void process.stdout.write(`\n${text}`),
  note: (text) => void process.stderr.write(`${text}\n`),
});
