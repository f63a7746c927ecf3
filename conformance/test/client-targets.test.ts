import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findProtocol, httpSeat, launchTarget, type LaunchOptions, readBaseline, runConformance, type RunReport } from "../src/index.js";
import { bundleFixtures } from "../scripts/bundle-fixtures.js";

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const { http } = findProtocol("acp");
if (http === undefined) throw new TypeError("ACP goes over HTTP");
const python = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
const LIMIT_MS = 120_000;

let clients: Awaited<ReturnType<typeof bundleFixtures>>;
beforeAll(async () => void (clients = await bundleFixtures("clients/editwire", "clients/official")));
afterAll(() => clients.close());

function judge(argv: readonly string[], options: Partial<LaunchOptions> = {}, baseline?: string): Promise<RunReport> {
  return runConformance({
    protocol: "acp",
    role: "client",
    target: launchTarget({ argv, control: "lines", ...options }),
    seed: 1,
    jobs: 3,
    ...(baseline !== undefined && { baseline: readBaseline(file(`../baselines/${baseline}`)) }),
  });
}

/** What is not as it should be, beyond what a baseline explains. */
function unexplained({ cases, baseline }: RunReport): string[] {
  const explained = new Set(baseline?.expected.map(({ check }) => check));
  return cases.flatMap(({ checks }) => checks).flatMap(({ id, verdict, message }) => (["fail", "warn", "blocked", "harness-error"].includes(verdict) && !explained.has(id) ? [`${verdict} ${id} ${message ?? ""}`] : []));
}

describe("our own client", () => {
  test("passes every case on stdio", async () => {
    const report = await judge(clients.argv("clients/editwire"));
    expect(unexplained(report)).toEqual([]);
    expect(report).toMatchObject({ outcome: "conformant", exitCode: 0, target: { name: "editwire" } });
    expect(report.totals.checks).toMatchObject({ info: 0, "not-applicable": 0 });
  }, LIMIT_MS);

  test("passes every case over HTTP", async () => {
    const report = await judge(clients.argv("clients/editwire"), { seat: httpSeat(http) });
    expect(unexplained(report)).toEqual([]);
    expect(report).toMatchObject({ outcome: "conformant", exitCode: 0, run: { transport: "http" } });
  }, LIMIT_MS);
});

describe("clients of others", () => {
  test("the official SDK's client violates what its baseline says, and nothing else", async () => {
    const report = await judge(clients.argv("clients/official"), {}, "acp-client-official-sdk.yaml");
    expect(unexplained(report)).toEqual([]);
    expect(report).toMatchObject({ outcome: "conformant", exitCode: 0, target: { name: "official-sdk" } });
    expect(report.baseline).toMatchObject({ stale: [], unmatched: [], expired: [], different: [] });
  }, LIMIT_MS);

  test.skipIf(python.status !== 0)("a small client in Python violates what its baseline says, and nothing else (needs python3)", async () => {
    const report = await judge([python.stdout.trim(), file("fixtures/python/client.py")], {}, "acp-client-python.yaml");
    expect(unexplained(report)).toEqual([]);
    expect(report).toMatchObject({ outcome: "conformant", exitCode: 0, target: { name: "client.py" } });
    expect(report.baseline).toMatchObject({ stale: [], unmatched: [], expired: [], different: [] });
  }, LIMIT_MS);
});
