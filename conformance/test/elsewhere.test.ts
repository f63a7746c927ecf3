import { expect, test } from "vitest";
import { mutant } from "../src/core/mutant.js";
import { globs } from "../src/core/select.js";
import type { MutantResult } from "../src/mutants/judge-mutant.js";
import { knownElsewhere, stale, undeclared } from "../src/mutants/elsewhere.js";
import { protocols } from "../src/index.js";
import { runMutants } from "../src/mutants/run-mutants.js";
import { echo } from "./fixtures/echo/protocol.js";

/** A mutant that is declared to violate less than it does. */
const shy = mutant("echo.server/answers-nothing", {
  violates: ["ECHO-SAY-002"],
  collateral: ["ECHO-RPC-002", "ECHO-RPC-003"],
  patch: { outgoing: ({ id, ...message }: Record<string, unknown>) => (id === 1 ? [{ id, ...message }] : []) },
});

test("a mutant that runs against every case shows what it breaks beside what it violates", async () => {
  const protocol = { ...echo, mutants: [shy] };
  const { mutants } = await runMutants({ protocol, role: "server", every: true });
  const [found] = undeclared(mutants, []);
  expect(found).toMatchObject({ mutants: ["echo.server/answers-nothing"], fails: ["ECHO-SAY-001"] });

  const cause = { because: "It answers nothing.", mutants: ["echo.server/*"], fails: ["ECHO-SAY-*"] };
  expect(undeclared(mutants, [cause])).toEqual([]);
  expect(stale(mutants, [cause])).toEqual([]);

  const weaker = { because: "It answers nothing.", mutants: [shy.id], blocks: ["ECHO-SAY-001"] };
  expect(undeclared(mutants, [weaker])).toMatchObject([{ fails: ["ECHO-SAY-001"] }]);
});

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
