import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bundle } from "../../scripts/testing/bundle.js";
import { acp, eca, launchTarget, runConformance, type RunOptions, type Target } from "../src/index.js";
import type { LaunchOptions } from "../src/wire/launch.js";
import { bases } from "../src/core/registry/requirement.js";
import { isRunning } from "./processes.js";
import { unsteered } from "./programs.js";

/** A client that starts its agent, sends what it was given, and stays. */
const node = (program: string): string[] => [process.execPath, "-e", program];
const starts = `
  const { spawn } = require("node:child_process");
  const agent = spawn(process.env.CONFORMANCE_AGENT, ["--acp"], { stdio: ["pipe", "pipe", "inherit"] });
  const send = (message) => agent.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
`;
const params = JSON.stringify({ protocolVersion: 1, clientInfo: { name: "tiny" } });
const initializes = `${starts} send({ id: 1, method: "initialize", params: ${params} });`;
const takesOrders = `
  let text = "";
  const orders = (answer) => process.stdin.on("data", (chunk) => {
    const lines = (text + chunk).split("\\n");
    text = lines.pop();
    for (const line of lines) {
      const order = JSON.parse(line);
      if (order.do === "shutdown") process.exit(0);
      answer(order);
    }
  });
  const reply = (id, fields) => console.log(JSON.stringify({ id, ...fields }));
`;

async function judge(argv: readonly string[], options: Partial<RunOptions> = {}, launch: Partial<LaunchOptions> = {}) {
  const report = await runConformance({
    protocol: acp,
    role: "client",
    target: launchTarget({ argv, control: "lines", ...launch }),
    filter: ["acp.client.initialize.first", "acp.client.session.new"],
    startMs: 15_000,
    graceMs: 300,
    seed: 1,
    basis: bases,
    ...options,
  });
  return { report };
}

const eventsOf = ({ cases }: Awaited<ReturnType<typeof judge>>["report"]) =>
  cases.flatMap(({ trace }) => trace).flatMap((entry) => (entry.kind === "event" ? [entry] : []));

describe("clients that do not work", () => {
  test("a command that is not there is a target error", async () => {
    const { report } = await judge(["/nonexistent/editor"]);
    expect(report).toMatchObject({
      outcome: "target-error",
      exitCode: 4,
      error: expect.stringContaining("/nonexistent/editor"),
    });
  });

  test("one that exits before it has started its agent is a target error with its stderr", async () => {
    const { report } = await judge(node('console.error("no display"); process.exit(2)'));
    expect(report).toMatchObject({ outcome: "target-error", exitCode: 4 });
    expect(report.error).toMatch(/exited with code 2[^]*no display/);
  });

  test("one that never starts its agent is given up, and ended", async () => {
    const { report } = await judge(node("setInterval(() => {}, 1000)"), {}, { startMs: 800 });
    expect(report).toMatchObject({
      outcome: "target-error",
      error: expect.stringContaining("did not reach its agent within 800 ms"),
    });
  });

  test("one whose adapter refuses to begin is a target error", async () => {
    const { report } = await judge(
      node(`${takesOrders} orders(({ id }) => reply(id, { ok: false, error: "no licence" }))`),
    );
    expect(report).toMatchObject({ outcome: "target-error", error: expect.stringContaining("no licence") });
  });

  test("one that starts its agent and says nothing is a target error", async () => {
    const { report } = await judge(node(`${starts} setInterval(() => {}, 1000)`), { startMs: 1_500 });
    expect(report).toMatchObject({ outcome: "target-error", error: expect.stringContaining("no handshake") });
  });

  test("one that floods its agent is stopped, and is a violation", async () => {
    const floods = `${starts} agent.stdin.on("error", () => {});
      const line = "x".repeat(65536);
      const go = () => { while (agent.stdin.write(line)); agent.stdin.once("drain", go); };
      go();`;
    const { report } = await judge(node(floods), { startMs: 20_000 });
    expect(report).toMatchObject({ outcome: "violated", exitCode: 1 });
    expect(
      report.cases
        .flatMap(({ trace }) => trace)
        .some((entry) => entry.kind === "malformed" && entry.problem.startsWith("a flood")),
    ).toBe(true);
  });

  test("one that writes noise to its agent violates the framing, and the rest is judged", async () => {
    const noisy = `${starts} agent.stdin.write("Starting up...\\n"); ${initializes.slice(starts.length)} ${takesOrders}
      orders(({ id, do: what }) => reply(id, { ok: what === "init", error: "cannot" }))`;
    const { report } = await judge(node(noisy), { filter: ["acp.client.initialize.first"] });
    expect(report).toMatchObject({ outcome: "violated", exitCode: 1 });
    const checks = report.cases.flatMap((one) => one.checks);
    expect(
      checks.filter(({ verdict }) => verdict === "fail").map(({ req }) => acp.registry().byId.get(req)?.text),
    ).toEqual(expect.arrayContaining([expect.stringMatching(/messages/)]));
    expect(new Set(checks.filter(({ verdict }) => verdict === "fail").map(({ source }) => source))).toEqual(
      new Set(["monitor"]),
    );
    expect(checks).toContainEqual(expect.objectContaining({ req: "ACP-INIT-003", verdict: "pass" }));
  });

  test("one that does nothing but initialize passes nothing that needs more", async () => {
    const { report } = await judge(
      node(
        `${initializes} ${takesOrders} ` +
          `orders(({ id, do: what }) => reply(id, { ok: what === "init", error: "cannot" }))`,
      ),
      {
        filter: ["acp.client.initialize.*", "acp.client.session.*", "acp.client.turn.*", "acp.client.permission.*"],
        timeScale: 0.2,
        jobs: 4,
      },
    );
    expect(report).toMatchObject({ outcome: "violated", exitCode: 1 });
    const passed = report.cases
      .flatMap(({ checks }) => checks)
      .filter(({ verdict, source }) => verdict === "pass" && source === "case");
    expect(new Set(passed.map(({ req }) => req))).toEqual(new Set(["ACP-INIT-003", "ACP-INIT-009", "ACP-INIT-020"]));
  });

  test("one that has no actions is incomplete, not conformant", async () => {
    const { report } = await judge(
      node(
        `${initializes} ${takesOrders} ` +
          `orders(({ id, do: what }) => reply(id, what === "init" ? { ok: true } : { ok: false, unsupported: true }))`,
      ),
    );
    expect(report).toMatchObject({ outcome: "incomplete", exitCode: 3 });
    const blocked = report.cases.find(({ id }) => id === "acp.client.session.new");
    expect(blocked).toMatchObject({
      verdict: "blocked",
      reason: expect.stringContaining("does not support the action new-session"),
    });
  });

  test("one that hangs in an action fails within the deadline, and is ended with all that it started", async () => {
    const folder = mkdtempSync(join(tmpdir(), "conformance-test-"));
    try {
      const pids = join(folder, "pids");
      const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);';
      const program = `${stubborn} ${initializes}
        const child = spawn(process.execPath, ["-e", ${JSON.stringify(stubborn)}], { stdio: "ignore" });
        const ids = process.pid + " " + child.pid + " " + agent.pid + " ";
        require("node:fs").appendFileSync(${JSON.stringify(pids)}, ids);
        ${takesOrders.replace("process.exit(0)", "return")}
        orders(({ id, do: what }) => what === "init" && reply(id, { ok: true }))`;
      const { report } = await judge(node(program), { timeScale: 0.2 });
      expect(report.cases.find(({ id }) => id === "acp.client.session.new")).toMatchObject({ verdict: "fail" });
      const all = readFileSync(pids, "utf8").trim().split(" ").map(Number);
      expect(all.length).toBeGreaterThanOrEqual(3);
      await expect.poll(() => all.filter(isRunning)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("the agent that a client starts", () => {
  test("reports how it was started, refuses a second start, and reads other lines as noise", async () => {
    const program = `${initializes} ${takesOrders}
      console.log("Welcome");
      const again = () => spawn(process.env.CONFORMANCE_AGENT, ["again"], { stdio: ["pipe", "pipe", "inherit"] });
      agent.stdout.once("data", () => again().once("exit", () => reply(1, { ok: true })));
      orders(({ id, do: what }) => what !== "init" && reply(id, { ok: false, error: "cannot" }))`;
    const { report } = await judge(node(program), { timeScale: 0.2 });
    const events = eventsOf(report);
    expect(events).toContainEqual(
      expect.objectContaining({ name: "agent-started", data: expect.objectContaining({ argv: ["--acp"] }) }),
    );
    expect(events).toContainEqual(expect.objectContaining({ name: "second-agent", data: { argv: ["again"] } }));
    expect(report.cases.flatMap(({ trace }) => trace)).toContainEqual(
      expect.objectContaining({ kind: "stderr", text: "Welcome\n" }),
    );
  });

  test("is put where the command line has {agent}", async () => {
    const program = initializes.replace("process.env.CONFORMANCE_AGENT", "process.argv[1]");
    const { report } = await judge(
      [...node(`${program} setInterval(() => {}, 1000)`), "{agent}"],
      { filter: ["acp.client.initialize.first"] },
      { control: "none" },
    );
    expect(report).toMatchObject({ outcome: "passed", target: { name: "tiny" } });
  });
});

describe("a client that nobody steers", () => {
  test("is started for each case, and judged by what it does of its own accord", async () => {
    const filter = [
      "acp.client.initialize.*",
      "acp.client.turn.prompt",
      "acp.client.update.real-agents",
      "acp.client.rpc.unknown-request",
      "acp.client.cancel.permission-open",
    ];
    const { report } = await judge([...unsteered, "{agent}"], { filter }, { control: "none" });
    const verdicts = Object.fromEntries(
      report.cases.map(({ id, verdict }) => [id.replace("acp.client.", ""), verdict]),
    );
    expect(verdicts).toMatchObject({
      "initialize.first": "pass",
      "initialize.minimal": "pass",
      "initialize.other-version": "pass",
      "initialize.authenticate": "blocked",
      "turn.prompt": "pass",
      "update.real-agents": "pass",
      "rpc.unknown-request": "pass",
      "cancel.permission-open": "blocked",
    });
    expect(report).toMatchObject({ outcome: "incomplete", exitCode: 3 });
  });

  test("may leave after its one turn: what it had no reason to say is not a violation", async () => {
    const { client } = await bundle(import.meta.url, { client: "../../packages/eca/test/readme/client.ts" });
    const target = launchTarget({ argv: [process.execPath, client, "{agent}"] });
    const report = await runConformance({
      protocol: eca,
      role: "client",
      target,
      filter: ["eca.client.turn.finished"],
      graceMs: 200,
    });
    expect(report).toMatchObject({ outcome: "passed", exitCode: 0 });
  });

  test("can be watched until it ends", async () => {
    const { report } = await judge(
      [...unsteered, "{agent}"],
      { watch: true },
      { control: "none", env: { LEAVES: "1" } },
    );
    expect(report).toMatchObject({ outcome: "passed", exitCode: 0 });
    const seen = report.cases.flatMap(({ checks }) => checks).filter(({ verdict }) => verdict === "pass");
    expect(seen.map(({ req }) => req)).toEqual(
      expect.arrayContaining(["ACP-INIT-003", "ACP-SESSION-008", "ACP-PERM-005", "ACP-SCHEMA-session/prompt:params"]),
    );
  });

  test("can be watched until somebody has seen enough", async () => {
    const enough = new AbortController();
    const client = launchTarget({ argv: [...unsteered, "{agent}"] });
    const target: Target = {
      ...client,
      open(options) {
        options.trace.subscribe((entry) => {
          if (entry.kind === "message" && entry.from === "suite" && JSON.stringify(entry.message).includes("end_turn"))
            enough.abort();
        });
        return client.open(options);
      },
    };
    const report = await runConformance({
      protocol: acp,
      role: "client",
      target,
      watch: true,
      signal: enough.signal,
    });
    expect(report).toMatchObject({ outcome: "passed", exitCode: 0 });
  });
});
