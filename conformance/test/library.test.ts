import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { bundle } from "../../scripts/testing/bundle.js";
import { acp, memoryTarget, registerConformance } from "../src/index.js";
import { serveOf } from "../src/mutants/references.js";

const reference = acp.reference["agent"];
if (reference === undefined) throw new Error("there is no reference agent");
registerConformance(
  { describe, test },
  {
    protocol: acp,
    role: "agent",
    target: memoryTarget(serveOf(reference)),
    behaviors: "commands",
    filter: ["acp.agent.initialize.*"],
  },
);

const { user } = await bundle(import.meta.url, { user: "fixtures/node-test-user.ts" });

const runNodeTest = (env: Record<string, string>) => {
  // The variables of the runner above must not reach the one below.
  const { PATH = "" } = process.env;
  return spawnSync(process.execPath, ["--test", user], { encoding: "utf8", env: { PATH, ...env } });
};

test("node:test: a conformant target passes, a broken one fails with the requirement's text", () => {
  expect(runNodeTest({})).toMatchObject({ status: 0, stdout: expect.stringMatching(/# pass [1-9]/) });
  const broken = runNodeTest({ BROKEN: "yes" });
  expect(broken.status).toBe(1);
  expect(broken.stdout).toContain("A request is answered once");
});
