import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eca, launchTarget, runConformance, type RunOptions } from "../src/index.js";

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "conformance-extension-"));
  mkdirSync(join(folder, "node_modules/vscode"), { recursive: true });
  cpSync(
    file("../../examples/vscode-extension/test/fixtures/vscode.cjs"),
    join(folder, "node_modules/vscode/index.js"),
  );
  await build({
    entryPoints: [file("../../examples/vscode-extension/src/extension.ts")],
    outfile: join(folder, "extension.cjs"),
    bundle: true,
    format: "cjs",
    platform: "node",
    external: ["vscode"],
    conditions: ["@editwire/source"],
    logLevel: "error",
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The extension spawns what its user has configured: the executable that stands for the suite. */
async function judge(options: Partial<RunOptions>) {
  const target = launchTarget({ argv: [process.execPath, file("fixtures/clients/eca-vscode.mjs"), folder, "{agent}"] });
  const report = await runConformance({
    protocol: eca,
    role: "client",
    target,
    seed: 1,
    jobs: 3,
    graceMs: 200,
    ...options,
  });
  const checks = report.cases.flatMap((one) => one.checks);
  return { report, checks, verdicts: Object.fromEntries(report.cases.map(({ id, verdict }) => [id, verdict])) };
}

test("an extension that spawns its own server is watched through the executable that it is given", async () => {
  const { report, checks } = await judge({ watch: true });
  expect(checks.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
  expect(report).toMatchObject({ outcome: "passed", target: { name: "vscode-extension" } });
  const judged = checks.map(({ req }) => req);
  for (const id of [
    "ECA-LIFE-020",
    "ECA-LIFE-021",
    "ECA-TURN-023",
    "ECA-TOOL-020",
    "ECA-SCHEMA-initialize:params",
    "ECA-SCHEMA-chat/delete:params",
  ])
    expect(judged).toContain(id);
  const trace = report.cases.flatMap((one) => one.trace);
  expect(trace).toContainEqual(
    expect.objectContaining({ name: "agent-started", data: expect.objectContaining({ argv: ["server"] }) }),
  );
  const sent = trace.flatMap((entry) =>
    entry.kind === "message" && entry.from === "target" ? [(entry.message as { method?: string }).method] : [],
  );
  expect(sent.filter((method) => method !== undefined && method !== "workspace/didChangeWorkspaceFolders")).toEqual([
    ...[
      "initialize",
      "initialized",
      "chat/prompt",
      "chat/toolCallApprove",
      "chat/prompt",
      "chat/toolCallReject",
      "chat/delete",
      "shutdown",
      "exit",
    ],
  ]);
});

test("it is started for each case, too, and judged by what it does of its own accord", async () => {
  const filter = ["eca.client.turn.message", "eca.client.v2026.diagnostics", "eca.client.delete"];
  const { report, verdicts } = await judge({ filter, profile: "v2026" });
  expect(verdicts).toMatchObject({
    "eca.client.turn.message": "pass",
    "eca.client.v2026.diagnostics": "pass",
    "eca.client.delete": "blocked", // nobody steers it
  });
  expect(report).toMatchObject({ outcome: "incomplete", exitCode: 3 });
});
