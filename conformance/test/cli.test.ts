import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { conf } from "./conf.js";
import { bin } from "./programs.js";
import { protocols } from "../src/index.js";
import { main } from "../src/cli/main.js";
import { referenceAgent } from "../src/protocols/acp/reference/agent.js";
import { rightAgent } from "../src/protocols/acp/reference/agent-behavior.js";
import { pipeOf } from "../src/wire/socket.js";

const run = (...args: string[]) =>
  conf("run", "acp", "--role", "agent", "--behaviors", "commands", "--filter", "acp.agent.initialize.version", ...args);

let folder: string;
const servers: Server[] = [];
const listen = async (name: string, patch: Parameters<typeof referenceAgent>[0]): Promise<string> => {
  const path = join(folder, name);
  const server = createServer({ allowHalfOpen: true }, (socket) => void referenceAgent(patch)(pipeOf(socket)));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return path;
};
let good: string;
let bad: string;
let twice: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "conformance-test-"));
  good = await listen("good", {});
  twice = await listen("twice", { outgoing: (message) => ("id" in message ? [message, message] : [message]) });
  bad = await listen("bad", {
    initializeResult: (params) => ({ ...(rightAgent.initializeResult(params) as object), protocolVersion: 2 }),
  });
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("conformance run", () => {
  test("P18: without a protocol or a role it lists what there is", async () => {
    expect(await conf("run")).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/run acp --role agent \| --role client[^]*run eca[^]*run helix-zed/),
    });
    expect(await conf("run", "eca")).toMatchObject({ status: 2, stderr: expect.stringContaining("--role server") });
  });

  test("judges, writes text on stdout and exits with 0", async () => {
    const { status, stdout } = await run("--seed", "7", "--unix", good);
    expect(stdout).toContain("seed 7");
    expect(stdout).toContain("passed (exit 0)");
    expect(status).toBe(0);
  });

  test("a broken target: exit 1, the requirement, expected, actual, the message and how to repeat it", async () => {
    const json = join(folder, "out.json");
    const { status, stdout } = await run("--report", `json=${json}`, "--framing", "header", "--unix", bad);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^fail {2}ACP-INIT-\d+ {2}must, in acp\.agent\.initialize\.version$/m);
    expect(stdout).toMatch(/expected: protocolVersion 1\n\s+actual: 2/);
    expect(stdout).toMatch(/^ {2}target <- \{.*"protocolVersion":2/m);
    expect(stdout).toMatch(/repeat: .* run acp .*--framing header.* --filter acp\.agent\.initialize\.version/);
    expect(JSON.parse(readFileSync(json, "utf8"))).toMatchObject({ run: { framing: "header" } });
  });

  test("a case with every byte by itself, and messages joined", async () => {
    expect(await run("--faults", "split:1", "--unix", good)).toMatchObject({ status: 0 });
    expect(await run("--faults", "coalesce", "--framing", "header", "--unix", good)).toMatchObject({ status: 0 });
  });

  test.each<[string, string[], RegExp]>([
    ["no target", [], /expected one target/],
    ["two targets", ["--unix", "/x", "--", "a"], /expected one target/],
    ["an unknown filter", ["--filter", "nothing", "--", "a"], /no agent case matches "nothing"/],
    ["a number in letters", ["--seed", "x", "--", "a"], /expected a whole number, received "x"/],
    ["an unknown option", ["--colour", "--", "a"], /unknown option/],
    ["a number out of range", ["--jobs", "0", "--", "a"], /expected a whole number from 1, received "0"/],
    ["a time that stands still", ["--time-scale", "0", "--", "a"], /expected a number above 0, received "0"/],
    [
      "an unknown way to tell it what to do",
      ["--behaviors", "nothing", "--", "a"],
      /Allowed choices are commands, model, env, none/,
    ],
    ["an unknown framing", ["--framing", "lines", "--", "a"], /Allowed choices are line, header/],
    ["an unknown transport", ["--over", "tcp", "--", "a"], /Allowed choices are stdio, http, streamable, ws/],
    [
      "a text that is not a URL",
      ["--url", "localhost:9000"],
      /--url: expected a URL that begins with http:\/\/, ws:\/\/ or wss:\/\/, received "localhost:9000"/,
    ],
    [
      "a folder that is not there",
      ["--cwd", "/nonexistent", "--", "a"],
      /--cwd: expected an existing folder, received \/nonexistent/,
    ],
    ["a baseline that is not there", ["--baseline", "/nonexistent.yaml", "--", "a"], /cannot read the baseline/],
  ])("%s: exit 2", async (_name, args, message) => {
    const { status, stderr, stdout } = await conf("run", "acp", "--role", "agent", ...args);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
    expect(stdout).toBe("");
  });

  test("traces that cannot be written: exit 2, as for reports", async () => {
    const { status, stderr } = await run("--trace-dir", "/dev/null/traces", "--unix", good);
    expect(stderr).toContain("error: cannot write traces to /dev/null/traces: ");
    expect(status).toBe(2);
  });

  test("a fault of the suite itself is not a verdict: exit 70", async () => {
    const out = vi.spyOn(process.stdout, "write").mockImplementation(() => {
      throw new TypeError("a bug");
    });
    const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const code = await main(["list", "acp", "--role", "agent"]);
    const said = String(err.mock.calls[0]?.[0]);
    out.mockRestore();
    err.mockRestore();
    expect(code).toBe(70);
    expect(said).toMatch(/^error: the suite itself failed: TypeError: a bug\n\s+at /);
  });

  test("--version names the version that judged", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
      version: string;
    };
    expect(await conf("--version")).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  });

  test("a command that is not there: exit 4, with what could not be judged and why", async () => {
    const { status, stdout } = await run("--", "/nonexistent/agent");
    expect(stdout).toMatch(/target-error \(exit 4\): the target could not be judged\n {2}cannot start .*ENOENT\n/);
    const { stdout: all } = await run("--verbose", "--", "/nonexistent/agent");
    expect(all).toMatch(
      /did not begin: cannot start .*ENOENT\n {2}acp\.agent\.initialize\.version {2}\[ACP-INIT-001\]/,
    );
    expect(status).toBe(4);
  });

  test("a run that judges nothing is incomplete: exit 3", async () => {
    const { status, stdout } = await conf(
      "run",
      "acp",
      "--role",
      "agent",
      "--filter",
      "acp.agent.cancel.permission-open",
      "--unix",
      good,
    );
    expect(stdout).toContain("for want of ask-permission on request");
    expect(status).toBe(3);
  });

  test("the bin judges the reference in a process of its own", () => {
    const args = [
      "run",
      "acp",
      "--role",
      "agent",
      "--filter",
      "acp.agent.initialize.version",
      "--",
      ...bin,
      "reference",
      "acp",
      "--role",
      "agent",
    ];
    const [command, ...rest] = bin;
    const { status, stdout } = spawnSync(command, [...rest, ...args], { encoding: "utf8" });
    expect(stdout).toContain("conformance-reference");
    expect(status).toBe(0);
  });
});

test("the reference speaks the dialect that it is asked for", () => {
  const [command, ...rest] = bin;
  const input =
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}\n';
  const said = (...more: string[]) =>
    spawnSync(command, [...rest, "reference", "acp", "--role", "agent", ...more], { encoding: "utf8", input });
  expect(said().stdout).not.toContain('"list"');
  expect(said("--profile", "v1").stdout).toContain('"list":{}');
  expect(said("--profile", "v9")).toMatchObject({ status: 2, stderr: expect.stringContaining("v9") });
}, 120_000);

describe("what a run leaves behind", () => {
  test("--write-baseline: what failed; the next run passes with it", async () => {
    const file = join(folder, "baseline.yaml");
    const { status, stderr } = await run("--write-baseline", file, "--unix", bad);
    expect({ status, stderr }).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/1 new entry for 1 check; a comment asks for its reason/),
    });
    expect(await run("--baseline", file, "--unix", bad)).toMatchObject({ status: 0 });
    expect(await run("--write-baseline", file, "--unix", bad)).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("no new entry"),
    });
    expect(await run("--baseline", file, "--unix", good)).toMatchObject({ status: 5 });
  });

  test("--write-baseline writes none if the target could not be judged, and excludes --baseline", async () => {
    const file = join(folder, "none.yaml");
    expect(await run("--write-baseline", file, "--", "/nonexistent/agent")).toMatchObject({
      status: 4,
      stderr: expect.stringContaining("no baseline was written"),
    });
    expect(existsSync(file)).toBe(false);
    expect(await run("--write-baseline", file, "--baseline", file, "--unix", good)).toMatchObject({ status: 2 });
  });

  test("--trace-dir: a file for each case, which check judges as the run did", async () => {
    const traces = join(folder, "traces");
    for (const [target, status] of [
      [good, 0],
      [twice, 1],
    ] as const) {
      expect(await run("--trace-dir", traces, "--unix", target)).toMatchObject({ status });
      expect(readdirSync(traces)).toEqual(["acp.agent.initialize.version.ndjson", "calibration.ndjson"]);
      for (const name of readdirSync(traces))
        expect(await conf("check", join(traces, name), "--protocol", "acp", "--role", "agent")).toMatchObject({
          status,
        });
    }
  });

  test("--redact: no secret in any of it", async () => {
    const [html, traces] = [join(folder, "redacted.json"), join(folder, "redacted")];
    const { stdout, status } = await run(
      "--env",
      `KEY=${bad}`,
      "--redact",
      "KEY",
      "--trace-dir",
      traces,
      "--report",
      `json=${html}`,
      "--unix",
      bad,
    );
    expect(status).toBe(1);
    for (const text of [
      stdout,
      readFileSync(html, "utf8"),
      ...readdirSync(traces).map((name) => readFileSync(join(traces, name), "utf8")),
    ])
      expect(text).not.toContain(bad);
    expect(await run("--redact", "NO_SUCH_VARIABLE", "--unix", bad)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("NO_SUCH_VARIABLE"),
    });
  });
});

test.each<[string, RegExp]>([
  [
    "ACP-CANCEL-002",
    /^requirement: ACP-CANCEL-002\n[^]*quotes:\n {2}\d[^]*cases:\n[^]*acp\.agent\.[^]*mutants:\n {2}acp\.agent\//,
  ],
  ["S08", /^requirement: ACP-/],
  [
    "acp.agent.cancel.permission-open",
    /^case: acp\.agent\.cancel\.permission-open\n[^]*judges:\n {2}ACP-CANCEL-002: [^]*needs:\n {2}ask-permission\n/,
  ],
  ["acp.agent/cancel-ends-as-end-turn", /^mutant: [^]*violates:\n {2}ACP-CANCEL-/],
])("conformance explain %s", async (id, text) => {
  expect(await conf("explain", id)).toMatchObject({ status: 0, stdout: expect.stringMatching(text) });
});

test("conformance explain does not call a must what only real peers need", async () => {
  expect((await conf("explain", "ACP-UPDATE-009")).stdout).toContain("needed by real peers (interop)");
  expect((await conf("explain", "ACP-SESSION-003")).stdout).toContain("must (inferred)");
});

test("conformance explain: JSON, and an id that is not there", async () => {
  const { stdout } = await conf("explain", "ACP-CANCEL-002", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ requirement: "ACP-CANCEL-002", level: expect.stringContaining("must") });
  expect(await conf("explain", "ACP-NONE")).toMatchObject({ status: 2, stderr: expect.stringContaining("ACP-NONE") });
});

test.each(protocols)("behaviors: what a target of $name can be asked for, with the arguments", async (protocol) => {
  const { stdout, status } = await conf("behaviors", protocol.name);
  expect(status).toBe(0);
  for (const { name, does } of protocol.behaviors) expect(stdout).toContain(`conf:${name} {…}  ${does}\n`);
  expect(stdout.trimEnd().split("\n")).toHaveLength(Math.max(protocol.behaviors.length, 1));
});

test("conformance list", async () => {
  const { stdout, status } = await conf("list", "acp", "--role", "agent", "--req", "ACP-CANCEL-002", "--json");
  expect(status).toBe(0);
  expect((JSON.parse(stdout) as { id: string }[]).map(({ id }) => id)).toContain("acp.agent.cancel.permission-open");
});

test("conformance list without a role: the cases of each role, one after the other", async () => {
  const { stdout, status } = await conf("list", "acp");
  expect(status).toBe(0);
  const roles = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(".")[1]);
  expect(roles.filter((role, index) => role !== roles[index - 1])).toEqual(["agent", "client"]);
  expect(await conf("list", "acp", "--filter", "acp.client.session.new")).toMatchObject({ status: 0 });
  expect(await conf("list", "acp", "--role", "server")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("client"),
  });
});

test("--time-scale says that it leaves the start of a target its time", async () => {
  expect((await conf("run", "--help")).stdout.replaceAll(/\s+/g, " ")).toContain("does not shorten the 30 s");
});

test("conformance check", async () => {
  const file = join(folder, "trace.ndjson");
  writeFileSync(file, '{"from":"agent","message":{"jsonrpc":"2.0","id":5,"result":{}}}\n');
  expect(await conf("check", file, "--protocol", "acp", "--role", "agent")).toMatchObject({
    status: 1,
    stdout: expect.stringContaining("ACP-RPC-003"),
  });
  expect(await conf("check", "/nonexistent", "--protocol", "acp", "--role", "agent")).toMatchObject({ status: 2 });
});

test("conformance registry check", async () => {
  const { status, stdout } = await conf("registry", "check", "acp");
  expect(stdout).toMatch(/^\d+ statements, \d+ requirements, \d+ clauses without a mutant, 0 problems\n$/);
  expect(status).toBe(0);
});
