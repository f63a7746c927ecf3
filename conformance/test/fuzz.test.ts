import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ContentBlock } from "@editwire/acp-schema";
import { isObject, validatorOf } from "@editwire/core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mutate, mutation } from "../src/fuzz/arbitrary.js";
import { readRepro, writeRepro } from "../src/fuzz/repro.js";
import { memoryTarget } from "../src/index.js";
import { UsageError } from "../src/core/errors.js";
import { findProtocol } from "../src/protocols/all.js";
import { type FuzzMode, replaySteps, runFuzz } from "../src/fuzz/run-fuzz.js";
import { type AgentBehavior, rightAgent } from "../src/protocols/acp/reference/agent-behavior.js";
import { referenceAgent } from "../src/protocols/acp/reference/agent.js";
import { referenceClient } from "../src/protocols/acp/reference/client.js";
import type { ClientBehavior } from "../src/protocols/acp/reference/client-behavior.js";
import { conf } from "./conf.js";
import { bin } from "./programs.js";
import { toy, toyServer } from "./toy.js";

const protocol = findProtocol("acp");
const fuzz = (patch: Partial<AgentBehavior>, modes: readonly FuzzMode[], runs: number, seed = 7) =>
  runFuzz({
    protocol,
    role: "agent",
    target: memoryTarget(referenceAgent(patch)),
    behaviors: "commands",
    seed,
    runs,
    modes,
    timeScale: 0.2,
    shrinkRuns: 200,
  });
/** Takes any prompt, and loses the blocks that it cannot read on the way back. */
const losesBlocks: Partial<AgentBehavior> = {
  promptProblem: ({ prompt }) => (Array.isArray(prompt) ? undefined : { code: -32602, message: "no prompt" }),
  updates: ({ content, ...update }) =>
    content === undefined || validatorOf(ContentBlock).fits(content) ? [{ ...update, content }] : [update],
};

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "conformance-test-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("runFuzz", () => {
  test("finds nothing in the reference agent, whatever is tried", async () => {
    expect(await fuzz({}, ["messages", "life"], 40)).toMatchObject({
      outcome: "passed",
      runs: { messages: 40, life: 40 },
      failures: [],
    });
  });

  test("finds a message whose echo is broken, and keeps no more of it than needed", async () => {
    const { outcome, failures } = await fuzz(losesBlocks, ["messages"], 200);
    expect(outcome).toBe("violated");
    expect(failures[0]?.problem).toContain("ACP-SCHEMA-session/update:params");
    expect(failures[0]?.steps).toHaveLength(1);
  });

  test("finds an order of legal steps that goes wrong, and makes it small", async () => {
    const { failures } = await fuzz(
      { updates: (update) => (update["sessionUpdate"] === "tool_call" ? [] : [update]) },
      ["life"],
      100,
    );
    expect(failures[0]?.problem).toContain("ACP-UPDATE-003");
    expect(failures[0]?.steps.map((step) => step.do)).toEqual([
      "new",
      "prompt",
      ...(failures[0]?.steps.length === 3 ? ["finish"] : []),
    ]);
  });

  test("tries the same for the same seed", async () => {
    const [one, two] = [await fuzz(losesBlocks, ["messages"], 100, 3), await fuzz(losesBlocks, ["messages"], 100, 3)];
    expect(one.failures.map(({ id }) => id)).toEqual(two.failures.map(({ id }) => id));
  });

  test("a protocol without a fuzzer is a usage error", async () => {
    await expect(
      runFuzz({ protocol: toy([]), role: "server", target: memoryTarget(toyServer()) }),
    ).rejects.toBeInstanceOf(UsageError);
  });
});

describe("runFuzz, for clients", () => {
  const tries = (patch: Partial<ClientBehavior>, modes: readonly FuzzMode[], runs: number) =>
    runFuzz({
      protocol,
      role: "client",
      target: memoryTarget(referenceClient(patch)),
      seed: 7,
      runs,
      modes,
      timeScale: 0.2,
      shrinkRuns: 200,
    });

  test("finds nothing in the reference client, whatever is tried", async () => {
    expect(await tries({}, ["messages", "life"], 40)).toMatchObject({
      outcome: "passed",
      runs: { messages: 40, life: 40 },
      failures: [],
    });
  });

  test("finds a message that a client dies of, and keeps no more of it than needed", async () => {
    const { failures } = await tries(
      { update: (update) => (isObject(update) && typeof update["sessionUpdate"] === "string" ? "survive" : "die") },
      ["messages"],
      200,
    );
    expect(failures[0]?.steps).toHaveLength(1);
    expect(failures[0]?.steps[0]).toMatchObject({ do: "message", message: { method: "session/update" } });
  });

  test("finds an order of legal steps that goes wrong, and makes it small", async () => {
    const { failures } = await tries(
      { permissionAtCancel: () => ({ outcome: { outcome: "selected", optionId: "allow_once" } }) },
      ["life"],
      200,
    );
    expect(failures[0]?.problem).toContain("ACP-CANCEL-005");
    expect(failures[0]?.steps.length).toBeLessThan(8);
    expect(failures[0]?.steps.map((step) => step.do)).toEqual(expect.arrayContaining(["permission", "prompt", "ask"]));
  });

  test("one that nobody steers is a usage error", async () => {
    const mute = memoryTarget((pipe) => void referenceClient()(pipe, "line"));
    await expect(runFuzz({ protocol, role: "client", target: mute, runs: 1 })).rejects.toThrow(/adapter/);
  });
});

describe("a kept failure", () => {
  const head = {
    protocol: "acp",
    role: "agent",
    behaviors: "commands",
    framing: "line",
    seed: 7,
    command: ["agent"],
  } as const;

  test("is played again: still there, or gone", async () => {
    const [failure] = (await fuzz(losesBlocks, ["messages"], 200)).failures;
    if (failure === undefined) throw new Error("expected a failure");
    const file = join(folder, "failure.ndjson");
    writeFileSync(file, writeRepro(failure, head));
    const { steps, head: read } = readRepro(file);
    expect(read).toMatchObject({ ...head, problem: failure.problem });
    expect(steps).toEqual(JSON.parse(JSON.stringify(failure.steps)));
    const replay = (patch: Partial<AgentBehavior>) =>
      replaySteps(
        { protocol, role: "agent", target: memoryTarget(referenceAgent(patch)), behaviors: "commands" },
        steps,
      );
    expect((await replay(losesBlocks))?.problem).toContain("ACP-SCHEMA-session/update:params");
    expect(await replay(rightAgent)).toBeUndefined();
  });

  test("a path without a file is a usage error", () => {
    const file = join(folder, "none.ndjson");
    writeFileSync(file, "{}\n");
    expect(() => readRepro(file)).toThrow(UsageError);
    expect(() => readRepro("/nonexistent")).toThrow(UsageError);
  });
});

test("the command line fuzzes a process, keeps the failure and plays it again", async () => {
  const reference = [...bin, "reference", "acp", "--role"];
  for (const [role, mutant, req, more] of [
    ["agent", "banner-on-stdout", "ACP-FRAME-001", []],
    ["client", "ids-as-strings", "ACP-RPC-003", ["--steer"]],
  ] as const) {
    const out = join(folder, role);
    const limits = ["--seed", "7", "--runs", "1", "--mode", "life", "--shrink", "0", "--out", out];
    const { status, stdout } = await conf(
      "fuzz",
      "acp",
      "--role",
      role,
      "--behaviors",
      "commands",
      ...limits,
      ...more,
      "--",
      ...reference,
      role,
      "--mutant",
      `acp.${role}/${mutant}`,
    );
    expect(stdout).toContain("seed 7");
    expect(stdout).toContain(req);
    expect(status).toBe(1);
    const [name = ""] = readdirSync(out);
    expect(stdout).toContain(`replay ${join(out, name)}`);
    expect(await conf("replay", join(out, name))).toMatchObject({ status: 1, stdout: expect.stringContaining(req) });
  }
});

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
