import { describe, expect, test } from "vitest";
import { causesOf } from "../src/core/verdict/causes.js";
import { lookupIn } from "../src/core/registry/select-in.js";
import { writeBaseline } from "../src/core/verdict/write-baseline.js";
import { mutant } from "../src/core/mutant.js";
import { acp, memoryTarget, runConformance } from "../src/index.js";
import { openReference } from "../src/mutants/references.js";
import { terminalReport } from "../src/report/terminal.js";
import { madeUpCase, madeUpCheck, madeUpReport, toyProtocol } from "./report/reports.js";
import { toy, toyCase, toyServer } from "./toy.js";

const same = ["a", "b", "c"].map((name, index) =>
  toyCase(
    name,
    ["TOY-MUST"],
    (t) => void t.check("TOY-MUST", false, { message: `nothing arrived within ${index} ms` }),
  ),
);
const run = (cases: Parameters<typeof toy>[0]) =>
  runConformance({ protocol: toy(cases), role: "server", target: memoryTarget(toyServer()), seed: 1 });

describe("one cause of several failures", () => {
  test("is found once, whatever its numbers are", async () => {
    const report = await run([...same, toyCase("d", ["TOY-MUST-2"], (t) => void t.check("TOY-MUST-2", false))]);
    expect(report.causes).toEqual([
      {
        verdict: "fail",
        message: "nothing arrived within 0 ms",
        requirements: ["TOY-MUST"],
        cases: ["toy.server.a", "toy.server.b", "toy.server.c"],
        checks: ["toy.server.a#TOY-MUST", "toy.server.b#TOY-MUST", "toy.server.c#TOY-MUST"],
      },
    ]);
  });

  test("is reported first, and shown in its first case alone", async () => {
    const report = await run(same);
    const text = terminalReport(report, { lookup: lookupIn(toyProtocol.registry()), command: "", verbose: true });
    expect(text).toContain("fail  in 3 cases, for one cause: TOY-MUST: the text of TOY-MUST");
    expect(text.indexOf("for one cause")).toBeLessThan(text.indexOf("fail  toy.server.a"));
    expect(text).not.toContain("fail  toy.server.b");
  });

  test("needs one reason in a baseline", async () => {
    const { text, failed, causes } = writeBaseline(await run(same));
    expect(causes).toBe(1);
    expect(failed).toHaveLength(3);
    expect(text).toContain("# TOY-MUST: nothing arrived within 0 ms");
    expect(text.match(/Why is this accepted/g)).toHaveLength(1);
  });

  test("is not made of what the baseline explains, and two cases are not a group", () => {
    const cases = ["a", "b", "c"].map((id) =>
      madeUpCase({ id, verdict: "fail", checks: [madeUpCheck({ id: `${id}#TOY-MUST` })] }),
    );
    expect(causesOf(cases)).toHaveLength(1);
    expect(causesOf(cases, new Set(["b#TOY-MUST"]))).toEqual([]);
    expect(madeUpReport({ cases }).causes).toEqual([]);
  });
});

test("an agent that answers no unknown method fails what is about that, and nothing else", async () => {
  const silent = mutant("acp.agent/unknown-method-not-answered", {
    violates: [],
    patch: { outgoing: (message: { error?: { code: number } }) => (message.error?.code === -32601 ? [] : [message]) },
  });
  const { target, close } = await openReference(acp, "agent", silent, undefined);
  const report = await runConformance({
    protocol: acp,
    role: "agent",
    target,
    behaviors: "commands",
    timeScale: 0.1,
    filter: ["acp.agent.malformed.session-new.*", "acp.agent.session.*", "acp.agent.unknown-method.*"],
    seed: 1,
  });
  await close();
  const failing = report.cases.flatMap(({ checks }) => checks).filter(({ verdict }) => verdict === "fail");
  expect([...new Set(failing.map(({ req }) => req))]).toEqual(["ACP-RPC-006"]);
  expect(report.causes).toMatchObject([{ verdict: "fail", requirements: ["ACP-RPC-006", "ACP-ROBUST-001"] }]);
});
