// Prints "passed failed skipped" of a vitest JSON report: node scripts/count-tests.mjs REPORT EXIT_CODE FAILURES
// Adds what failed to the file FAILURES, and says on stderr which files skipped tests. A run that fails for any other
// reason than a test counts as one failure.
import { appendFileSync } from "node:fs";
import { readTestReport } from "./lib/test-report.mjs";

const [report = "", exitCode = "1", failuresFile = "/dev/stderr"] = process.argv.slice(2);
const { passed, skipped, failures, skips } = readTestReport(report);
if (failures.length === 0 && exitCode !== "0") failures.push(`no test failed, and the exit code was ${exitCode}`);
if (failures.length > 0) appendFileSync(failuresFile, `${failures.join("\n")}\n`);
if (skips.length > 0)
  console.error(`skip         tests that do not apply here, or whose tools are missing: ${skips.join(", ")}`);
console.log(passed, failures.length, skipped);
