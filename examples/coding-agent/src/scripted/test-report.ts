/** The result of a test run. */
export interface TestReport {
  readonly pass: number;
  readonly fail: number;
  /** The first failing test's name. */
  readonly failing: string | undefined;
}

/** Reads the output of `node --test`, as TAP or as the spec reporter writes it; `undefined` when it is neither. */
export function readTestReport(output: string): TestReport | undefined {
  const pass = countOf(output, "pass");
  const fail = countOf(output, "fail");
  if (pass === undefined || fail === undefined) return undefined;
  const failing = /^\s*not ok \d+ - (.+)$/m.exec(output) ?? /^\s*✖ (.+?) \([\d.]+m?s\)$/m.exec(output);
  return { pass, fail, failing: failing?.[1] };
}

function countOf(output: string, what: string): number | undefined {
  const count = new RegExp(`^(?:#|ℹ) ${what} (\\d+)$`, "m").exec(output)?.[1];
  return count === undefined ? undefined : Number(count);
}
