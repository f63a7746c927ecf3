// Prints "passed failed skipped" of a vitest JSON report: node scripts/count-tests.mjs REPORT EXIT_CODE
// A file that does not load counts as one failure, and so does a run that fails for any other reason.
import { existsSync, readFileSync } from "node:fs";

const [report = "", exitCode = "1"] = process.argv.slice(2);
const nothing = { numPassedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };
const run = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : nothing;
const failed = run.testResults.flatMap(({ status, assertionResults }) => {
  const tests = assertionResults.filter((test) => test.status === "failed");
  return status === "failed" && tests.length === 0 ? [status] : tests;
}).length;
console.log(run.numPassedTests, failed === 0 && exitCode !== "0" ? 1 : failed, run.numPendingTests + run.numTodoTests);
