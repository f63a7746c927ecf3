import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { launchTarget, readBaseline, runConformance, type RunReport, stdioTarget } from "../src/index.js";

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const python = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
const LIMIT_MS = 120_000;

/** What is not as it should be, beyond what a baseline explains. */
function unexplained({ cases, baseline }: RunReport): string[] {
  const explained = new Set(baseline?.expected.map(({ check }) => check));
  return cases
    .flatMap(({ checks }) => checks)
    .flatMap(({ id, verdict, message }) =>
      ["fail", "warn", "blocked", "harness-error"].includes(verdict) && !explained.has(id) ? [`${verdict} ${id} ${message ?? ""}`] : [],
    );
}

describe.skipIf(python.status !== 0)("small peers in Python on the raw wire (need python3)", () => {
  test(
    "the server deviates as its baseline says, and no more",
    async () => {
      const report = await runConformance({
        protocol: "eca",
        role: "server",
        target: stdioTarget({ argv: [python.stdout.trim(), file("fixtures/python/eca-server.py")] }),
        behaviours: "commands",
        seed: 1,
        jobs: 4,
        baseline: readBaseline(file("../baselines/eca-server-python.yaml")),
      });
      expect(unexplained(report)).toEqual([]);
      expect(report).toMatchObject({ outcome: "conformant", exitCode: 0, run: { framing: "header" } });
      expect(report.baseline).toMatchObject({ stale: [], unmatched: [], expired: [], different: [] });
    },
    LIMIT_MS,
  );

  test(
    "the client passes every case",
    async () => {
      const report = await runConformance({
        protocol: "eca",
        role: "client",
        target: launchTarget({ argv: [python.stdout.trim(), file("fixtures/python/eca-client.py")], control: "lines" }),
        seed: 1,
        jobs: 4,
        baseline: readBaseline(file("../baselines/eca-client-python.yaml")),
      });
      expect(unexplained(report)).toEqual([]);
      expect(report).toMatchObject({ outcome: "conformant", exitCode: 0, target: { name: "eca-client.py" } });
      expect(report.totals.checks).toMatchObject({ info: 0, "not-applicable": 0 });
    },
    LIMIT_MS,
  );
});
