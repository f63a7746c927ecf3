import { expect, test } from "vitest";
import { mutant } from "../src/core/mutant.js";
import type { RunReport } from "../src/core/verdict/report.js";
import { globs } from "../src/core/run/select.js";
import { judgeMutant } from "../src/mutants/judge-mutant.js";
import { type MutantResult } from "../src/mutants/mutant-result.js";
import { knownElsewhere, stale, undeclared } from "../src/mutants/elsewhere.js";
import { protocols } from "../src/index.js";

test("what is declared and did not happen is named", () => {
  const result = { id: "echo.server/mute", elsewhere: [{ req: "R1", how: "blocks", at: "a case", message: "" }] };
  const cause = {
    because: "It is mute.",
    mutants: ["echo.server/mute", "echo.server/deaf"],
    fails: ["R1"],
    blocks: ["R*", "S1"],
  };
  expect(stale([result as unknown as MutantResult], [cause])).toEqual([
    '"It is mute." no longer explains anything of echo.server/deaf',
    '"It is mute." no longer explains anything of R1',
    '"It is mute." no longer explains anything of S1',
  ]);
  expect(stale([], [{ ...cause, varies: true }])).toEqual([]);
});

test("a check that is blocked needs a cause like one that fails", () => {
  const checks = [{ id: "echo.server.say#R1", req: "R1", verdict: "blocked", message: "nothing came" }];
  const report = { cases: [{ id: "echo.server.say", checks }], outcome: "incomplete", run: { ms: 1 } };
  const mute = mutant("echo.server/mute", { violates: ["R2"], collateral: ["R3"] });
  const result = judgeMutant(mute, report as unknown as RunReport, true);
  const found = { because: "echo.server.say: nothing came", mutants: [mute.id], blocks: ["R1"] };
  expect(undeclared([result], [])).toMatchObject([found]);
  expect(undeclared([result], [found])).toEqual([]);
});

test("every declared cause names mutants and requirements that there are", () => {
  for (const protocol of protocols) {
    const requirements = protocol.registry().requirements.map(({ id }) => id);
    for (const role of Object.keys(protocol.reference)) {
      const mutants = protocol.mutants.filter((one) => one.role === role).map(({ id }) => id);
      for (const { mutants: named, fails = [], blocks = [] } of knownElsewhere(protocol.name, role)) {
        const unknown = [
          ...named.filter((pattern) => !mutants.some((id) => globs(pattern, id))),
          ...[...fails, ...blocks].filter((pattern) => !requirements.some((id) => globs(pattern, id))),
        ];
        expect(unknown, `${protocol.name} ${role}`).toEqual([]);
      }
    }
  }
});
