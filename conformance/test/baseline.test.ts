import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { memoryTarget, readBaseline, runConformance } from "../src/index.js";
import type { BaselineEntry } from "../src/core/verdict/baseline.js";
import { writeBaseline } from "../src/core/verdict/write-baseline.js";
import { toy, toyCase, toyServer } from "./toy.js";

const cases = [
  toyCase("good", ["TOY-MUST"], (t) => t.pass("TOY-MUST")),
  toyCase("bad", ["TOY-MUST"], (t) => void t.check("TOY-MUST", false)),
  toyCase("stuck", ["TOY-MUST-2"], (t) => t.blocked("because")),
];
const run = (baseline: readonly BaselineEntry[], filter?: readonly string[]) =>
  runConformance({
    protocol: toy(cases),
    role: "server",
    target: memoryTarget(toyServer()),
    baseline,
    filter,
    seed: 1,
  });
const bad: BaselineEntry = { check: "toy.server.bad#TOY-MUST", expect: "fail", reason: "issue 12" };
const stuck: BaselineEntry = { check: "toy.server.stuck#*", expect: "blocked", reason: "issue 13" };

describe("a run with a baseline", () => {
  test("passes when all is as it says", async () => {
    const report = await run([bad, stuck]);
    expect(report).toMatchObject({ outcome: "passed", exitCode: 0 });
    expect(report.baseline?.expected).toEqual([
      { check: bad.check, reason: "issue 12" },
      { check: "toy.server.stuck#TOY-MUST-2", reason: "issue 13" },
    ]);
  });

  test("still fails for what it does not name", async () => {
    expect(await run([stuck])).toMatchObject({ exitCode: 1 });
    expect(await run([bad])).toMatchObject({ exitCode: 3 });
  });

  test.each<[string, BaselineEntry, string, number]>([
    ["stale", { ...bad, check: "toy.server.good#TOY-MUST" }, "stale", 5],
    ["unmatched", { ...bad, check: "toy.server.gone#TOY-MUST" }, "unmatched", 5],
    ["expired", { ...bad, check: bad.check, until: "2020-01-01" }, "expired", 1],
    ["different", { ...bad, expect: "blocked" }, "different", 1],
  ])("an entry that is %s fails it", async (_name, entry, kind, exitCode) => {
    const rest = entry.check === bad.check ? [stuck] : [bad, stuck];
    const report = await run([...rest, entry]);
    expect(report.exitCode).toBe(exitCode);
    expect(report.baseline?.[kind as "stale"]).toEqual([entry.check]);
  });

  test("an entry for another transport does not count", async () => {
    expect((await run([bad, stuck, { ...bad, check: "gone", where: { transport: "http" } }])).exitCode).toBe(0);
  });

  test("an entry about a case that was filtered out is not unmatched", async () => {
    expect((await run([bad, stuck], ["toy.server.good"])).exitCode).toBe(0);
  });

  test("a flaky entry may fail or pass", async () => {
    expect(
      (await run([{ ...bad, expect: "flaky" }, stuck, { ...bad, check: "toy.server.good#TOY-MUST", expect: "flaky" }]))
        .exitCode,
    ).toBe(0);
  });
});

const read = (text: string) => {
  const folder = mkdtempSync(join(tmpdir(), "conformance-test-"));
  try {
    writeFileSync(join(folder, "baseline.yaml"), text);
    return readBaseline(join(folder, "baseline.yaml"));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

describe("readBaseline", () => {
  test("reads entries", () => {
    expect(read("version: 1\nentries:\n  - check: a#B\n    expect: fail\n    reason: why\n")).toEqual([
      { check: "a#B", expect: "fail", reason: "why" },
    ]);
  });

  test.each([
    ["no verdict", "version: 1\nentries:\n  - check: a#B\n    reason: b\n", /expect/],
    ["an unknown field", "version: 1\nentries:\n  - { check: a, expect: fail, reason: b, because: c }\n", /because/],
    ["no YAML", "version: [", /cannot read/],
  ])("refuses %s", (_name, text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});

describe("writeBaseline", () => {
  test("gives each finding an entry, whose comment asks for a reason", async () => {
    const { text, failed, blocked } = writeBaseline(await run([]));
    expect({ failed, blocked }).toEqual({ failed: [bad.check], blocked: ["toy.server.stuck#TOY-MUST-2"] });
    expect(text.match(/# Why is this accepted\? reason: "…"/g)).toHaveLength(2);
    const reasoned = read(text);
    expect(reasoned.map(({ check, expect: as }) => [check, as])).toEqual([
      [bad.check, "fail"],
      ["toy.server.stuck#TOY-MUST-2", "blocked"],
    ]);
    expect(await run(reasoned)).toMatchObject({ outcome: "passed" });
  });

  test("keeps what is there, comments and all, and adds what is new", async () => {
    const before =
      "# Ours.\nversion: 1\nentries:\n  # See issue 12.\n  - check: toy.server.bad#TOY-MUST\n    expect: fail\n" +
      "    reason: issue 12\n";
    const { text, failed, blocked } = writeBaseline(await run(read(before)), before);
    expect(text.startsWith(before)).toBe(true);
    expect({ failed, blocked }).toEqual({ failed: [], blocked: ["toy.server.stuck#TOY-MUST-2"] });
    expect(() => writeBaseline({ ...({} as Awaited<ReturnType<typeof run>>), cases: [] }, "version: 1")).toThrow(
      /expected a baseline/,
    );
  });
});
