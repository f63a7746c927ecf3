import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mutate, mutation } from "../src/fuzz/arbitrary.js";
import { readRepro, writeRepro } from "../src/fuzz/repro.js";
import { type FuzzMode, replaySteps, runFuzz } from "../src/fuzz/run-fuzz.js";
import { findProtocol, memoryTarget, UsageError } from "../src/index.js";
import { type AgentBehaviour, rightAgent } from "../src/protocols/acp/reference/agent-behaviour.js";
import { referenceAgent } from "../src/protocols/acp/reference/agent.js";

const protocol = findProtocol("acp");
const fuzz = (patch: Partial<AgentBehaviour>, modes: readonly FuzzMode[], runs: number, seed = 7) =>
  runFuzz({ protocol, role: "agent", target: memoryTarget(referenceAgent(patch)), behaviours: "commands", seed, runs, modes, timeScale: 0.2, shrinkMs: 5_000 });
const echoesAnything: Partial<AgentBehaviour> = { promptProblem: ({ prompt }) => (Array.isArray(prompt) ? undefined : { code: -32602, message: "no prompt" }) };

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "conformance-test-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("runFuzz", () => {
  test("finds nothing in the reference agent, whatever is tried", async () => {
    expect(await fuzz({}, ["messages", "life"], 40)).toMatchObject({ outcome: "conformant", runs: { messages: 40, life: 40 }, failures: [] });
  }, 60_000);

  test("finds a message that is echoed unread, and keeps no more of it than needed", async () => {
    const { outcome, failures } = await fuzz(echoesAnything, ["messages"], 200);
    expect(outcome).toBe("violated");
    expect(failures[0]?.problem).toContain("ACP-SCHEMA-session/update:params");
    expect(failures[0]?.steps).toHaveLength(1);
  }, 60_000);

  test("finds an order of legal steps that goes wrong, and makes it small", async () => {
    const { failures } = await fuzz({ updates: (update) => (update["sessionUpdate"] === "tool_call" ? [] : [update]) }, ["life"], 100);
    expect(failures[0]?.problem).toContain("ACP-UPDATE-003");
    expect(failures[0]?.steps.map((step) => step.do)).toEqual(["new", "prompt", ...(failures[0]?.steps.length === 3 ? ["finish"] : [])]);
  }, 60_000);

  test("tries the same for the same seed", async () => {
    const [one, two] = [await fuzz(echoesAnything, ["messages"], 100, 3), await fuzz(echoesAnything, ["messages"], 100, 3)];
    expect(one.failures.map(({ id }) => id)).toEqual(two.failures.map(({ id }) => id));
  }, 60_000);

  test("a role without a fuzzer is a usage error", async () => {
    await expect(runFuzz({ protocol, role: "client", target: memoryTarget(() => {}) })).rejects.toBeInstanceOf(UsageError);
  });
});

describe("a kept failure", () => {
  const head = { protocol: "acp", role: "agent", behaviours: "commands", framing: "line", seed: 7, command: ["agent"] } as const;

  test("is played again: still there, or gone", async () => {
    const [failure] = (await fuzz(echoesAnything, ["messages"], 200)).failures;
    if (failure === undefined) throw new Error("expected a failure");
    const file = join(folder, "failure.ndjson");
    writeFileSync(file, writeRepro(failure, head));
    const { steps, head: read } = readRepro(file);
    expect(read).toMatchObject({ ...head, problem: failure.problem });
    expect(steps).toEqual(JSON.parse(JSON.stringify(failure.steps)));
    const replay = (patch: Partial<AgentBehaviour>) => replaySteps({ protocol, role: "agent", target: memoryTarget(referenceAgent(patch)), behaviours: "commands" }, steps);
    expect((await replay(echoesAnything))?.problem).toContain("ACP-SCHEMA-session/update:params");
    expect(await replay(rightAgent)).toBeUndefined();
  }, 60_000);

  test("a file that is none is a usage error", () => {
    const file = join(folder, "none.ndjson");
    writeFileSync(file, "{}\n");
    expect(() => readRepro(file)).toThrow(UsageError);
    expect(() => readRepro("/nonexistent")).toThrow(UsageError);
  });
});

test("the command line fuzzes a process, keeps the failure and plays it again", () => {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const own = [process.execPath, "--import", "tsx", "--conditions=@editwire/source", "src/bin.ts"];
  const conf = (...args: string[]) => spawnSync(own[0] ?? "", [...own.slice(1), ...args], { cwd, encoding: "utf8" });
  const reference = [...own, "reference", "acp", "--role", "agent"];
  const broken = ["--", ...reference, "--mutant", "acp.agent/banner-on-stdout"];
  const { status, stdout } = conf("fuzz", "acp", "--role", "agent", "--behaviours", "commands", "--seed", "7", "--runs", "2", "--mode", "life", "--shrink", "1", "--out", folder, ...broken);
  expect(stdout).toContain("seed 7");
  expect(stdout).toContain("ACP-FRAME-001");
  expect(status).toBe(1);
  const file = join(folder, readdirSync(folder).find((name) => /^[0-9a-f]{8}\.ndjson$/.test(name)) ?? "");
  expect(readFileSync(file, "utf8")).toContain('"repro":1');
  expect(conf("replay", file).status).toBe(1);
}, 120_000);

test("a change leaves the value itself as it is, and gives JSON or nothing", () => {
  fc.assert(
    fc.property(fc.jsonValue(), mutation, (value, change) => {
      const before = JSON.stringify(value);
      const after = mutate(value, change);
      expect(JSON.stringify(value)).toBe(before);
      if (after !== undefined) expect(typeof JSON.stringify(after)).toBe("string");
    }),
  );
});
