import { describe, expect, test } from "vitest";
import { judge } from "../scripts/gate/judge.js";
import { type Judged, opens } from "../scripts/gate/judged.js";
import { acp, memoryTarget } from "../src/index.js";
import type { AgentBehavior } from "../src/protocols/acp/reference/agent-behavior.js";
import { referenceAgent } from "../src/protocols/acp/reference/agent.js";

const options = {
  behaviors: "commands",
  filter: ["acp.agent.session.new", "acp.agent.turn.text"],
  quietScale: 0.1,
} as const;
const target = (patch: Partial<AgentBehavior>): ReturnType<typeof memoryTarget> => memoryTarget(referenceAgent(patch));
const judged = (more: Partial<Judged>, patch: Partial<AgentBehavior> = {}) =>
  judge({ name: "one", protocol: acp, role: "agent", options, open: opens(target(patch)), ...more });
const wrong: Partial<AgentBehavior> = { stopReason: () => "refusal" };

describe("what the gate makes of an implementation", () => {
  test("one that passes, every time", async () => {
    expect(await judged({ runs: 3 })).toEqual({ problems: [], sum: "3 cases, 3 times the same" });
  });

  test("one that fails, with the check that says so", async () => {
    const { problems } = await judged({}, wrong);
    expect(problems).toContainEqual(expect.stringMatching(/^fail acp\.agent\.turn\.text#ACP-TURN-002/));
    expect(problems.at(-1)).toMatch(/^violated/);
  });

  test("one that passes once and fails then", async () => {
    let run = 0;
    const open: Judged["open"] = async () => ({ target: target(++run === 2 ? wrong : {}), close: async () => {} });
    const { problems } = await judged({ runs: 2, open });
    expect(problems).toContainEqual(expect.stringMatching(/^run 2: fail acp\.agent\.turn\.text#ACP-TURN-002/));
    expect(problems.at(-1)).toBe("the runs differ in their verdicts");
  });

  test("one that is better than its baseline says", async () => {
    const { problems } = await judged({
      baseline: "acp-agent-python.yaml",
      options: { ...options, filter: ["acp.agent.disturbed.deep"] },
    });
    expect(problems).toContainEqual("baseline: stale: acp.agent.disturbed.deep#ACP-ROBUST-003");
  });

  test("one that cannot be started", async () => {
    const { problems } = await judged({ open: opens(memoryTarget((pipe) => pipe.end())) });
    expect(problems.at(-1)).toMatch(/^target-error no handshake/);
  });
});
