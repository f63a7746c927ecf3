import { expect, test } from "vitest";
import { judge } from "../scripts/gate/judge.js";
import { smanTargets } from "../scripts/gate/sman.js";

const programs = (await smanTargets()).filter(({ name, skip }) => name.endsWith("a process") && skip === undefined);

test.each(programs.map((one) => [one.name, one] as const))("the suite finds nothing in %s", async (_name, program) => {
  expect(await judge(program)).toMatchObject({ problems: [] });
});
