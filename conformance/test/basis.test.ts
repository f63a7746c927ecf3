import { describe, expect, test } from "vitest";
import { type Case, memoryTarget, runConformance, type RunOptions } from "../src/index.js";
import { testCounts } from "../src/report/counts.js";
import { summaryReport } from "../src/report/terminal-summary.js";
import { row, toy, toyCase, toyServer } from "./toy.js";

const rows = [row("TOY-INFERRED", "must", "inferred"), row("TOY-INTEROP", "must", "interop")];
const run = (cases: readonly Case[], options: Partial<RunOptions> = {}) =>
  runConformance({
    protocol: toy(cases, rows),
    role: "server",
    target: memoryTarget(toyServer()),
    seed: 1,
    ...options,
  });
const stated = toyCase("stated", ["TOY-MUST"], (t) => t.pass("TOY-MUST"));
const violates = (req: string) => toyCase("violates", [req], (t) => void t.check(req, false));

describe("what decides the outcome", () => {
  test.each(["TOY-INFERRED", "TOY-INTEROP"])("a violated %s is reported beside a conformant run", async (req) => {
    const report = await run([stated, violates(req)]);
    expect(report).toMatchObject({ outcome: "conformant", exitCode: 0 });
    expect(report.verdicts.find(({ violated }) => violated.includes(req))).toMatchObject({ outcome: "violated" });
    expect(report.verdicts[0]).toMatchObject({ basis: "stated", outcome: "conformant" });
    expect(testCounts(report)).toMatchObject({ failed: 0 });
    expect(summaryReport(report)).toMatch(/violated: .*does not decide the outcome/);
  });

  test("a basis that was asked for decides as well", async () => {
    const report = await run([stated, violates("TOY-INFERRED")], { basis: ["stated", "inferred"] });
    expect(report).toMatchObject({ outcome: "violated", exitCode: 1 });
    expect(testCounts(report)).toMatchObject({ failed: 1 });
  });

  test("a run that judged only what is not stated is incomplete", async () => {
    const inferred = toyCase("inferred", ["TOY-INFERRED"], (t) => t.pass("TOY-INFERRED"));
    expect(await run([inferred])).toMatchObject({ outcome: "incomplete", exitCode: 3 });
  });
});

test("a run is conformant without the cases of transports that the target does not use", async () => {
  const elsewhere = toyCase("posted", ["TOY-MUST-2"], (t) => t.pass("TOY-MUST-2"), { transports: ["http"] });
  const report = await run([stated, elsewhere]);
  expect(report.cases.map(({ id }) => id)).not.toContain("toy.server.posted");
  expect(report).toMatchObject({ outcome: "conformant", exitCode: 0 });
  expect(report.verdicts[0]).toMatchObject({ basis: "stated", outcome: "conformant" });
});

describe("a run is not conformant, though nothing is wrong,", () => {
  test("when cases were left out", async () => {
    const report = await run([stated, toyCase("other", ["TOY-MUST-2"], (t) => t.pass("TOY-MUST-2"))], {
      filter: ["toy.server.stated"],
    });
    expect(report).toMatchObject({ outcome: "passed", exitCode: 0 });
    expect(report.verdicts[0]).toMatchObject({ outcome: "passed" });
  });

  test.each(["TOY-SHOULD", "TOY-INTEROP"])("when a check of %s is blocked", async (req) => {
    const report = await run([stated, toyCase("stuck", [req], (t) => t.blocked("because"))]);
    expect(report).toMatchObject({ outcome: "passed", exitCode: 0 });
  });

  test("when the baseline explains a failure", async () => {
    const baseline = [{ check: "toy.server.violates#TOY-MUST-2", expect: "fail", reason: "issue 1" }] as const;
    expect(await run([stated, violates("TOY-MUST-2")], { baseline })).toMatchObject({
      outcome: "passed",
      exitCode: 0,
      verdicts: [{ basis: "stated", outcome: "violated", violated: ["TOY-MUST-2"] }, {}, {}],
    });
  });
});

test("a run that bail has stopped is not conformant, whatever it found", async () => {
  const cases = [
    toyCase("good", ["TOY-MUST"], (t) => t.pass("TOY-MUST")),
    toyCase("bad", ["TOY-INTEROP"], (t) => void t.check("TOY-INTEROP", false)),
    toyCase("left", ["TOY-MUST"], (t) => t.pass("TOY-MUST")),
  ];
  const report = await run(cases, { jobs: 1, bail: 1 });
  expect(report.cases.map(({ id }) => id)).not.toContain("toy.server.left");
  expect(report.outcome).toBe("passed");
});
