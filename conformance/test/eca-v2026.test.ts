import { eca as table } from "@editwire/eca-schema";
import { describe, expect, test } from "vitest";
import { fits } from "../src/core/talk/judge.js";
import { checkTrace, eca, memoryTarget, protocols, runConformance } from "../src/index.js";
import { referenceServer } from "../src/protocols/eca/reference/server.js";
import { v2026Server } from "../src/protocols/eca/reference/v2026.js";
import { v2026Contents, v2026Forms, v2026Notifications, v2026Greeting } from "../src/protocols/eca/v2026.js";

const quick = { protocol: eca, role: "server", behaviors: "commands", seed: 1, timeScale: 0.25 } as const;
const filter = ["eca.server.life.initialize*", "eca.server.turn.echo", "eca.server.tool.runs"];

/** The checks that did not pass in a run, by requirement. */
async function found(patch: Parameters<typeof referenceServer>[0], profile: string, more: readonly string[] = []) {
  const report = await runConformance({
    ...quick,
    target: memoryTarget(referenceServer(patch)),
    profile,
    filter: [...filter, ...more],
  });
  const failing = report.cases
    .flatMap(({ checks }) => checks)
    .filter(({ verdict }) => verdict === "fail" || verdict === "warn");
  return {
    outcome: report.outcome,
    ids: report.cases.map(({ id }) => id),
    failing: [...new Set(failing.map(({ verdict, req }) => `${verdict} ${req}`))],
    report,
  };
}

describe("the profile of the 2026 dialect", () => {
  test("what the suite sends in it is valid", () => {
    const news = [...v2026Greeting, ...v2026Notifications("chat-a")];
    const contents = v2026Contents.map(
      ([role, content]) => ["chat/contentReceived", { chatId: "chat-a", role, content }] as const,
    );
    expect([...news, ...contents].filter(([method, params]) => fits(table, method, "params", params) !== true)).toEqual(
      [],
    );
    expect([...news, ...contents].flatMap(([method, params]) => v2026Forms(method, "params", params))).toEqual([]);
  });

  test("a 2026 server is held to it, and not to what only 2025 had", async () => {
    expect(await found(v2026Server, "v2026")).toMatchObject({ outcome: "passed", failing: [] });
    const { outcome, failing } = await found(v2026Server, "spec");
    expect(outcome).toBe("violated");
    expect(failing).toEqual(expect.arrayContaining(["fail ECA-LIFE-001", "warn ECA-FORM-A12"]));
  });

  test("a server of 2025 is warned in it, and no more", async () => {
    const { outcome, failing } = await found({}, "v2026", ["eca.server.v2026.config"]);
    expect(outcome).toBe("passed");
    expect(failing).toEqual(expect.arrayContaining(["warn ECA-V2026-002", "warn ECA-V2026-003"]));
    expect(failing.filter((one) => !one.startsWith("warn ECA-V2026"))).toEqual([]);
  });

  test("its cases and requirements are nobody's business in the other", async () => {
    const { ids, report } = await found({}, "spec");
    expect(ids).toContain("eca.server.life.initialize");
    const checks = report.cases.flatMap((one) => one.checks);
    expect(
      [...checks.map(({ req }) => req), ...report.requirements.map(({ id }) => id)].filter((id) =>
        id.startsWith("ECA-V2026"),
      ),
    ).toEqual([]);
    await expect(found({}, "spec", ["eca.server.v2026.config"])).rejects.toThrow(/no server case matches/);
    expect((await found({}, "v2026")).ids).not.toContain("eca.server.life.initialize");
  });

  test("a recorded session is judged in either", () => {
    const trace = JSON.stringify({
      from: "target",
      message: { jsonrpc: "2.0", method: "config/updated", params: { chat: { models: "one" } } },
    });
    const judged = (profile?: string): string[] =>
      checkTrace(eca, "server", trace, profile).checks.map(({ req, verdict }) => `${verdict} ${req}`);
    expect(judged("v2026")).toContain("warn ECA-V2026-001");
    expect(judged()).not.toContain("warn ECA-V2026-001");
    expect(() => judged("tomorrow")).toThrow(/spec, v2026/);
  });
});

test.each(protocols)("the mutants of $name have ids of their own", ({ mutants }) => {
  const ids = mutants.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
