import { describe, expect, test } from "vitest";
import { mutant, runConformance } from "../src/index.js";
import { runMutants } from "../src/mutants/run-mutants.js";
import { findProtocol } from "../src/protocols/all.js";
import { openReference } from "../src/mutants/references.js";
import { rightAgent } from "../src/protocols/acp/reference/agent-behavior.js";

const acp = findProtocol("acp");

test("P18: an agent that passes a check of its initialize, and is wrong when it is cancelled, is found", async () => {
  const broken = acp.mutants.find(({ id }) => id === "acp.agent/cancel-ends-as-end-turn");
  const judge = async (filter: string) => {
    const { target, close } = await openReference(acp, "agent", broken, undefined);
    const { outcome, requirements } = await runConformance({
      protocol: acp,
      role: "agent",
      target,
      seed: 1,
      filter: [filter],
      behaviors: "commands",
    });
    await close();
    return { outcome, failed: requirements.filter(({ status }) => status === "fail").map(({ id }) => id) };
  };
  expect(await judge("acp.agent.initialize.*")).toEqual({ outcome: "passed", failed: [] });
  expect(await judge("acp.agent.cancel.running")).toEqual({ outcome: "violated", failed: ["ACP-CANCEL-001"] });
});

describe("the kill matrix", () => {
  const cancel = acp.mutants.find(({ id }) => id === "acp.agent/cancel-ends-as-end-turn");
  const run = (violates: readonly string[], collateral: readonly string[], patch = cancel?.patch) =>
    runMutants({
      protocol: { ...acp, mutants: [mutant("acp.agent/m", { violates, collateral, patch })] },
      role: "agent",
    }).then(({ mutants, ok }) => ({ ...mutants[0], ok }));

  test("a mutant that nobody notices has survived", async () => {
    expect(await run(["ACP-INIT-001"], ["ACP-CANCEL-001", "ACP-CANCEL-002", "ACP-UPDATE-005"])).toMatchObject({
      verdict: "survived",
      missed: ["ACP-INIT-001"],
      ok: false,
    });
  });

  test("one that other checks notice is found for the wrong reason", async () => {
    const result = await run(["ACP-CANCEL-002"], []);
    expect(result).toMatchObject({ verdict: "wrong-reason", ok: false });
    expect(result.unexpected).toContain("acp.update.tool-call#ACP-UPDATE-005");
  });

  test("one that breaks nothing has to pass, and is not counted as a kill", async () => {
    const named = { sessionId: (count: number) => `conversation/${count}` };
    expect(await run([], [], named)).toMatchObject({ verdict: "benign", ok: true });
    expect(await run([], [])).toMatchObject({ verdict: "wrong-reason", ok: false });
  });

  test("one that no case comes to does not count", async () => {
    const rare = { outgoing: (message: object) => ("_rare" in message ? [] : [message]) };
    expect(await run([], [], rare)).toMatchObject({ verdict: "unapplied", ok: false });
    expect(await run([], [], { replay: () => [] })).toMatchObject({ verdict: "unapplied", ok: false });
  });

  test("one whose decisions are those of the reference changes nothing", async () => {
    const { sessionId } = rightAgent;
    const same = { sessionId: (count: number) => sessionId(count) };
    expect(await run([], [], same)).toMatchObject({ verdict: "unapplied", ok: false });
  });

  test("one that writes every message as the reference does changes nothing", async () => {
    const { encode } = rightAgent;
    expect(await run([], [], { encode: (...taken: Parameters<typeof encode>) => encode(...taken) })).toMatchObject({
      verdict: "unapplied",
      ok: false,
    });
  });
});
