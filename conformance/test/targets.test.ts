import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runConformance, stdioTarget } from "../src/index.js";
import { isRunning } from "./processes.js";
import { toy, toyCase } from "./toy.js";

const calls = ["a", "b", "c", "d", "e", "f", "g", "h"].map((name) =>
  toyCase(name, ["TOY-MUST"], async (t) => void (await t.require("TOY-MUST", t.send.request("ping", {}).result()))),
);
const pongs = `
  let text = "";
  process.stdin.on("data", (chunk) => {
    const lines = (text + chunk).split("\\n");
    text = lines.pop();
    for (const line of lines) answer(JSON.parse(line).id);
  });
  const answer = (id) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: { pong: true } }) + "\\n");
`;

/** Runs a program as the target. */
async function judge(
  program: string,
  { startMs = 60_000, timeScale = 4 }: { startMs?: number; timeScale?: number } = {},
) {
  const report = await runConformance({
    protocol: toy(calls),
    role: "server",
    target: stdioTarget({ argv: [process.execPath, "-e", program] }),
    startMs: startMs / timeScale,
    graceMs: 300,
    timeScale,
    seed: 1,
  });
  return { report };
}

describe("real processes", () => {
  test("one that answers is conformant", async () => {
    const { report } = await judge(pongs);
    expect(report).toMatchObject({ outcome: "conformant", exitCode: 0 });
  });

  test("a command that is not there is a target error", async () => {
    const report = await runConformance({
      protocol: toy(calls),
      role: "server",
      target: stdioTarget({ argv: ["/nonexistent/agent"] }),
    });
    expect(report).toMatchObject({
      outcome: "target-error",
      exitCode: 4,
      error: expect.stringContaining("/nonexistent/agent"),
    });
  });

  test("one that exits at once is a target error with its exit code and stderr", async () => {
    const { report } = await judge('console.error("no licence"); process.exit(3)');
    expect(report).toMatchObject({ outcome: "target-error", exitCode: 4 });
    expect(report.error).toMatch(/exited with code 3[^]*no licence/);
  });

  test("one that does nothing is a target error when its time is up", async () => {
    const { report } = await judge("setInterval(() => {}, 1000)", { startMs: 500 });
    expect(report).toMatchObject({ outcome: "target-error", exitCode: 4 });
    expect(report.error).toContain("unanswered: ping");
  });

  test("one that announces more bytes than it writes violates the framing", async () => {
    const { report } = await judge(
      'process.stdout.write("Content-Length: 3\\r\\n\\r\\n{}"); setInterval(() => {}, 1000)',
      { startMs: 500 },
    );
    expect(report).toMatchObject({ outcome: "violated", exitCode: 1 });
  });

  test("one that hangs after the handshake is a violation, and is given up", async () => {
    const { report } = await judge(
      `${pongs.replace("answer(JSON", "if (JSON.parse(line).id === 1) answer(JSON")}; setInterval(() => {}, ` +
        `1000); process.on("SIGTERM", () => {});`,
      { timeScale: 0.1 },
    );
    expect(report).toMatchObject({ outcome: "violated", exitCode: 1 });
    expect(report.totals.cases.fail).toBeGreaterThanOrEqual(2);
  });

  test("one that prints noise violates the framing, and the rest is judged", async () => {
    const { report } = await judge(`console.log("Starting up..."); ${pongs}`);
    expect(report).toMatchObject({ outcome: "violated", exitCode: 1 });
    const failed = report.cases.flatMap(({ checks }) => checks).filter(({ verdict }) => verdict === "fail");
    expect(new Set(failed.map(({ req }) => req))).toEqual(new Set(["TOY-FRAME"]));
    expect(report.cases.filter(({ verdict }) => verdict === "pass").length).toBeGreaterThan(0);
  });

  test("one that floods is stopped, and is a violation", async () => {
    const { report } = await judge(
      `const line = "x".repeat(65536); const go = () => { while (process.stdout.write(line)); ` +
        `process.stdout.once("drain", go); }; go();`,
    );
    expect(report).toMatchObject({ outcome: "violated", exitCode: 1 });
  });

  test("one that dies in the middle fails the case, and the next ones get another", async () => {
    const { report } = await judge(
      `let n = 0; ${pongs.replace("process.stdout.write", "++n === 3 ? process.exit(1) : process.stdout.write")}`,
    );
    expect(report.exitCode).toBe(1);
    const verdicts = report.cases.map(({ verdict }) => verdict);
    expect(verdicts).toContain("fail");
    expect(verdicts.filter((verdict) => verdict === "pass").length).toBeGreaterThan(3);
  });
});

describe("ending a target", () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "conformance-test-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("ends what it started too, even when both ignore SIGTERM", async () => {
    const file = join(folder, "pids");
    const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);';
    const program = `${stubborn} ${pongs}
      const { spawn } = require("node:child_process");
      const stdio = ["ignore", "inherit", "inherit"];
      const child = spawn(process.execPath, ["-e", ${JSON.stringify(stubborn)}], { stdio });
      require("node:fs").appendFileSync(${JSON.stringify(file)}, child.pid + " " + process.pid + " ");`;
    const { report } = await judge(program);
    expect(report.exitCode).toBe(0);
    const pids = readFileSync(file, "utf8").trim().split(" ").map(Number);
    expect(pids.length).toBeGreaterThanOrEqual(2);
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  });
});
