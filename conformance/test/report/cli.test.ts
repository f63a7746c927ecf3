import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conf } from "../conf.js";
import { bin } from "../programs.js";
import { referenceAgent } from "../../src/protocols/acp/reference/agent.js";
import { readReport } from "../../src/report/json.js";
import { pipeOf } from "../../src/wire/socket.js";
import { writePage } from "../../scripts/page.js";

beforeAll(writePage);

let folder: string;
let server: Server;
let target: string;
let onConnection = (_socket: Socket): void => {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "conformance-cli-"));
  target = join(folder, "agent");
  server = createServer({ allowHalfOpen: true }, (socket) => {
    onConnection(socket);
    referenceAgent({})(pipeOf(socket));
  });
  server.listen(target);
  await once(server, "listening");
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const one = ["run", "acp", "--role", "agent", "--behaviors", "commands", "--filter", "acp.agent.initialize.version"];
const path = (name: string): string => join(folder, name);

describe("conformance run --report", () => {
  test("files of every format, and the text on stdout", async () => {
    const spec = ["json", "junit", "html", "md", "badge", "shields"]
      .map((format) => `${format}=${path(`all/${format}`)}`)
      .join(",");
    const { status, stdout } = await conf(...one, "--report", spec, "--unix", target);
    expect(status).toBe(0);
    expect(stdout).toMatch(/passed \(exit 0\): [^]*\n2 passed, 0 failed, 0 skipped\n$/);
    expect(readReport(readFileSync(path("all/json"), "utf8"), "json")).toMatchObject({
      outcome: "passed",
      command: expect.stringContaining("--unix") as string,
    });
    expect(readFileSync(path("all/junit"), "utf8")).toContain('tests="2" failures="0"');
    expect(readFileSync(path("all/md"), "utf8")).toContain("acp agent: passed");
    expect(readFileSync(path("all/badge"), "utf8")).toContain("<svg");
    expect(JSON.parse(readFileSync(path("all/shields"), "utf8"))).toMatchObject({ schemaVersion: 1 });
  });

  test("a report on stdout has it for itself; the text goes to stderr", async () => {
    const { stdout, stderr } = await conf(...one, "--report", "json=-", "--unix", target);
    expect(readReport(stdout, "stdout").counts).toEqual({ passed: 2, failed: 0, skipped: 0 });
    expect(stderr).toMatch(/2 passed, 0 failed, 0 skipped\n$/);
  });

  test("traces: of failed cases in JSON unless asked for all", async () => {
    const traces = async (...more: string[]): Promise<number> =>
      readReport((await conf(...one, "--report", "json=-", ...more, "--unix", target)).stdout, "stdout").cases.filter(
        ({ trace }) => trace !== undefined,
      ).length;
    expect(await traces()).toBe(0);
    expect(await traces("--traces", "all")).toBe(2);
  });

  test("what cannot be written is refused before the run", async () => {
    let connections = 0;
    onConnection = () => void connections++;
    expect(await conf(...one, "--report", "pdf=x", "--unix", target)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('unknown report format "pdf"') as string,
    });
    writeFileSync(path("file"), "");
    expect(await conf(...one, "--report", `json=${path("file/x.json")}`, "--unix", target)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("cannot write") as string,
    });
    expect(connections).toBe(0);
  });
});

test("a run that is interrupted writes what it found up to then", async () => {
  const json = path("interrupted.json");
  const [command, ...argv] = [
    ...bin,
    "run",
    "acp",
    "--role",
    "agent",
    "--profile", // without it, the run connects to find it out
    "spec",
    "--behaviors",
    "commands",
    "--jobs",
    "1",
    "--report",
    `json=${json}`,
    "--unix",
    target,
  ] as const;
  const child = spawn(command, argv, { stdio: ["ignore", "pipe", "pipe"] });
  let connections = 0;
  // npm passes on a signal that the terminal has sent to the whole group of processes, so it comes twice.
  onConnection = (socket) => {
    if (++connections !== 3) return;
    child.kill("SIGINT");
    socket.once("close", () => child.kill("SIGINT"));
  };
  const output: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  const [status] = (await once(child, "close")) as [number];
  onConnection = () => {};
  const report = readReport(readFileSync(json, "utf8"), json);
  expect(status).toBe(130);
  expect(report.outcome).toBe("interrupted");
  expect(report.cases.length).toBeGreaterThan(1);
  expect(report.cases.length).toBeLessThan(report.run.selected);
  expect(output.join("")).toMatch(
    /interrupted \(exit 130\): \d+ of \d+ cases ran\n[^]*\n\d+ passed, \d+ failed, \d+ skipped\n$/,
  );
});

describe("conformance render", () => {
  let json: string;
  beforeAll(async () => {
    json = path("one.json");
    await conf(...one, "--report", `json=${json}`, "--traces", "all", "--unix", target);
  });

  test("makes one HTML file of one report or of several", async () => {
    expect(await conf("render", json, "-o", path("one.html"))).toMatchObject({ status: 0 });
    expect((await conf("render", json, json, "-o", "-")).stdout.length).toBeGreaterThan(
      readFileSync(path("one.html"), "utf8").length,
    );
  });

  test("marks the requirements that a kill matrix has proven", async () => {
    const matrix = path("matrix.json");
    writeFileSync(matrix, JSON.stringify({ proven: ["ACP-INIT-001"] }));
    expect(await conf("render", json, "-o", path("proven.html"), "--proven", matrix)).toMatchObject({ status: 0 });
    expect(readFileSync(path("proven.html"), "utf8")).not.toBe(readFileSync(path("one.html"), "utf8"));
  });

  test.each([
    ["no-such.json", /cannot read/],
    ["../package.json", /is not a conformance report/],
  ])("%s is refused", async (file, message) => {
    const { status, stderr } = await conf(
      "render",
      file === "no-such.json" ? path(file) : fileURLToPath(new URL("../../package.json", import.meta.url)),
      "-o",
      path("x.html"),
    );
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });
});
