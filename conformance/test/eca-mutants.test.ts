import { describe, expect, test } from "vitest";
import { findProtocol, runMutants } from "../src/index.js";

const eca = findProtocol("eca");

describe.each(Object.keys(eca.reference))("the %s reference", (role) => {
  test("passes every case, every mutant of it is noticed for its own reason, and every judged requirement is proven", async () => {
    const { ok, controls, mutants, unproven } = await runMutants({ protocol: eca, role });
    const trouble = controls.flatMap(({ cases }) => cases.flatMap(({ checks }) => checks)).filter(({ verdict }) => verdict !== "pass");
    expect(trouble).toEqual([]);
    expect(mutants.filter(({ verdict }) => verdict !== "killed" && verdict !== "benign")).toEqual([]);
    expect(unproven).toEqual([]);
    expect(ok).toBe(true);
  }, 120_000);
});
