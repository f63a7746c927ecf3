import { expect, test } from "vitest";
import { mutant } from "../src/core/mutant.js";
import { stale, undeclared } from "../src/mutants/elsewhere.js";
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
