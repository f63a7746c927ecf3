// Reads the JSON report of vitest.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** The counts of a run, its failures in a few lines each, how many tests each file skipped, and the files' times. */
export function readTestReport(file) {
  if (!existsSync(file)) return { passed: 0, skipped: 0, failures: [], skips: [], durations: [] };
  const { numPassedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(readFileSync(file, "utf8"));
  return {
    passed: numPassedTests,
    skipped: numPendingTests + numTodoTests,
    failures: testResults.flatMap(failuresOf),
    skips: testResults.flatMap(({ name, assertionResults }) => {
      const count = assertionResults.filter(({ status }) => !["passed", "failed"].includes(status)).length;
      return count === 0 ? [] : [`${relative(process.cwd(), name)} (${count})`];
    }),
    durations: testResults.map(({ name, startTime, endTime }) => ({
      file: relative(process.cwd(), name),
      ms: endTime - startTime,
    })),
  };
}

/** A file that does not load is one failure. */
function failuresOf({ name, status, message, assertionResults }) {
  const file = relative(process.cwd(), name);
  const failed = assertionResults.filter((test) => test.status === "failed");
  if (status === "failed" && failed.length === 0) return [`${file}\n${briefly(message)}`];
  return failed.map(({ fullName, duration, failureMessages }) => {
    // A test that times out has no message of its own.
    const messages = failureMessages.map((text) =>
      text.includes("STACK_TRACE_ERROR") ? `timed out after ${Math.round(duration)} ms` : text,
    );
    return `${file} > ${fullName}\n${briefly([...new Set(messages)].join("\n"))}`;
  });
}

/** The first lines of a message, without its stack. */
function briefly(message) {
  const lines = stripVTControlCharacters(message).split("\n");
  const said = lines.filter((line) => line.trim() !== "" && !/^\s+at /.test(line));
  return said
    .slice(0, 6)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join("\n");
}
