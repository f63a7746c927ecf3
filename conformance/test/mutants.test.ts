import { describe, expect, test } from "vitest";
import { isAbout } from "../src/core/select.js";
import { findProtocol, mutant, runMutants } from "../src/index.js";

const acp = findProtocol("acp");

/** Requirements that a transport has, and cases for it. */
const casesOver = (role: string, transport: string): number => acp.cases.filter((one) => one.role === role && isAbout(one, transport)).length;

describe.each(Object.keys(acp.reference))("the %s reference", (role) => {
  test("passes every case, and every mutant of it is noticed for its own reason", async () => {
    const { ok, controls, mutants, proven, unproven } = await runMutants({ protocol: acp, role });
    const trouble = controls.flatMap(({ cases }) => cases.flatMap(({ checks }) => checks)).filter(({ verdict }) => verdict !== "pass");
    const withoutModel = trouble.filter(({ req, verdict }) => !(req === "ACP-MODEL-001" && verdict === "not-applicable")); // judged by a control with a model behind it
    expect(withoutModel).toEqual([]);
    const [memory, http] = controls.map(({ run, cases }) => ({ transport: run.transport, cases: cases.filter(({ id }) => id !== "calibration").length }));
    expect([memory, http]).toEqual([{ transport: "memory", cases: casesOver(role, "memory") }, { transport: "http", cases: casesOver(role, "http") }]);
    expect(mutants.filter(({ verdict }) => verdict !== "killed" && verdict !== "benign")).toEqual([]);
    expect(unproven).toEqual([]);
    expect(proven.length).toBeGreaterThan(60);
    expect(mutants.filter(({ verdict }) => verdict === "benign").length).toBeGreaterThanOrEqual(12);
    expect(ok).toBe(true);
  }, 240_000);
});

describe("the kill matrix", () => {
  const cancel = acp.mutants.find(({ id }) => id === "acp.agent/cancel-ends-as-end-turn");
  const run = (violates: readonly string[], collateral: readonly string[], patch = cancel?.patch) =>
    runMutants({ protocol: { ...acp, mutants: [mutant("acp.agent/m", { violates, collateral, patch })] }, role: "agent" }).then(({ mutants, ok }) => ({ ...mutants[0], ok }));

  test("a mutant that nobody notices has survived", async () => {
    expect(await run(["ACP-INIT-001"], ["ACP-CANCEL-001", "ACP-CANCEL-002", "ACP-UPDATE-005"])).toMatchObject({ verdict: "survived", missed: ["ACP-INIT-001"], ok: false });
  });

  test("one that other checks notice is found for the wrong reason", async () => {
    const result = await run(["ACP-CANCEL-002"], []);
    expect(result).toMatchObject({ verdict: "wrong-reason", ok: false });
    expect(result.unexpected).toContain("acp.update.tool-call#ACP-UPDATE-005");
  });

  test("one that breaks nothing has to pass, and is not counted as a kill", async () => {
    expect(await run([], [], {})).toMatchObject({ verdict: "benign", ok: true });
    expect(await run([], [])).toMatchObject({ verdict: "wrong-reason", ok: false });
  });
});
