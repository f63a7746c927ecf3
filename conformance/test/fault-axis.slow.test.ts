import { describe, expect, test } from "vitest";
import { memoryTarget, runConformance, type RunOptions } from "../src/index.js";
import { UsageError } from "../src/core/errors.js";
import { findProtocol } from "../src/protocols/all.js";
import { overFaults } from "../src/core/run/fault-axis.js";
import { referenceAgent } from "../src/protocols/acp/reference/agent.js";
import { toy, toyCase, toyServer } from "./toy.js";
import { FrameCutter } from "../src/wire/framing.js";

const calls = (id: string, more = {}) =>
  toyCase(id, ["TOY-MUST"], async (t) => void (await t.require("TOY-MUST", t.send.request("ping", {}).result())), more);
const cases = [
  calls("a", { smoke: true }),
  calls("b"),
  calls("c", { faults: ["noise"] }),
  calls("d", { isolation: "connection" }),
];

describe("overFaults", () => {
  test("runs the smoke cases again, or all that have no faults of their own", () => {
    const ids = (axis: "none" | "smoke" | "all", transport?: string) =>
      overFaults(cases, axis, transport).map(({ id }) => id.slice("toy.server.".length));
    expect(ids("none")).toEqual(["a", "b", "c", "d"]);
    expect(ids("smoke")).toEqual(["a", "b", "c", "d", "a@split:1", "a@coalesce"]);
    expect(ids("all")).toHaveLength(4 + 3 * 5);
    expect(ids("all").filter((id) => id.startsWith("c"))).toEqual(["c"]);
    expect(ids("smoke", "http").slice(4)).toEqual(["a@split:1"]);
    expect(ids("all", "ws")).toHaveLength(4 + 3 * 3);
  });
});

describe("the fault axis", () => {
  const run = (options: Partial<RunOptions>, target = memoryTarget(toyServer())) =>
    runConformance({
      protocol: toy(cases),
      role: "server",
      target,
      timeScale: 0.1,
      faultAxis: "all",
      seed: 1,
      ...options,
    });

  test("a server that reads a stream passes, on one connection for each fault where cases may share", async () => {
    let connections = 0;
    const target = memoryTarget((pipe) => {
      connections += 1;
      return toyServer()(pipe);
    });
    const report = await run({ skip: ["toy.server.c"], jobs: 1 }, target);
    expect(report).toMatchObject({ outcome: "passed", totals: { cases: { pass: 18 + 1 } } });
    // The first, one for each of five faults, and one for each run of the case that wants its own.
    expect(connections).toBe(1 + 5 + 6);
  });

  test("one that takes a chunk for a message fails where chunks are none", async () => {
    const naive = memoryTarget((pipe) => {
      pipe.listen({
        data(chunk) {
          const [frame] = new FrameCutter().push(chunk);
          if (frame?.ok !== true) return;
          const { id } = frame.message as { id: number };
          pipe.write(Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id, result: { pong: true } })}\n`));
        },
        end: () => pipe.end(),
      });
    });
    const report = await run({ filter: ["toy.server.a*"] }, naive);
    const failed = report.cases.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
    expect(report.outcome).toBe("violated");
    expect(failed).toEqual(expect.arrayContaining(["toy.server.a@split:1"]));
    expect(report.cases.find(({ id }) => id === "toy.server.a")?.verdict).toBe("pass");
  });

  test("a repeat names the case with its fault", async () => {
    expect((await run({ filter: ["toy.server.b@coalesce"] })).cases.map(({ id }) => id)).toEqual([
      "calibration",
      "toy.server.b@coalesce",
    ]);
    await expect(run({ filter: ["toy.server.b@coalesce"], faultAxis: "none" })).rejects.toBeInstanceOf(UsageError);
  });

  test("the reference agent behaves over every fault as it does without", async () => {
    const report = await runConformance({
      protocol: findProtocol("acp"),
      role: "agent",
      target: memoryTarget(referenceAgent()),
      behaviors: "commands",
      faultAxis: "all",
      seed: 1,
      quietScale: 0.1,
      jobs: 8,
    });
    expect(
      report.cases
        .filter(({ verdict }) => verdict !== "pass" && verdict !== "not-applicable")
        .map(({ id, verdict, reason }) => [id, verdict, reason]),
    ).toEqual([]);
  });
});
