import { describe, expect, it } from "vitest";
import { goals, outcomesOf } from "../src/goals.js";
import { growthRows } from "../src/growth.js";
import type { Machine } from "../src/machine.js";
import { withTable } from "../src/readme.js";
import { ratios, spreadOf } from "../src/rounds.js";
import { aligned, type Result, tableOf } from "../src/table.js";
import { selectWorkloads, workloads } from "../src/workloads/all.js";
import type { Bench, Workload } from "../src/workloads/workload.js";

const flood = workloads.find(({ name }) => name === "flood-200") as Workload;
const rates = (...values: number[]): { rate: number }[] => values.map((rate) => ({ rate }));
const measured = { editwire: rates(60, 80, 70), floor: rates(100, 100, 100), "acp-sdk": rates(10, 20, 10) };
const results: Result[] = [{ workload: flood, size: 1, measured }];
const machine: Machine = {
  date: "2026-11-22",
  node: "v20",
  system: "linux",
  processor: "2 × x",
  memoryGb: 4,
  load: 0,
  versions: { zod: "4" },
};

describe("the report", () => {
  it("compares round by round", () => {
    expect(spreadOf([3, 1, 2, 10])).toEqual({ median: 2.5, min: 1, max: 10 });
    expect(ratios(measured, "editwire", "acp-sdk", "rate")).toEqual([6, 4, 7]);
  });

  it("shows values, ratios and their ranges", () => {
    const [, row] = tableOf(results, "full");
    expect(row?.slice(0, 4)).toEqual([
      "flood-200 rate",
      "70.0 k/s (60.0–80.0)",
      "100 | 0.70× (0.60–0.80)",
      "10.0 | 6.00× (4.00–7.00)",
    ]);
    expect(
      aligned([
        ["a", "b"],
        ["ccc", "d"],
      ]),
    ).toBe("a     b\nccc   d");
  });

  it("compares what has a floor of its own with that, and leaves out of the short table what it does not name", () => {
    const helix = workloads.find(({ name }) => name === "helix-flood") as Workload;
    const of = { "editwire/helix": rates(30), "floor/helix": rates(20) };
    expect(tableOf([{ workload: helix, size: 1, measured: of }], "short").slice(1)).toEqual([
      ["helix-flood editwire/helix", "30.0 k/s", "1.50×", "", "", "", ""],
    ]);
    const others = { ...measured, "editwire/acp-v1": rates(1) };
    expect(
      tableOf([{ workload: flood, size: 1, measured: others }], "short")
        .slice(1)
        .map(([name]) => name),
    ).toEqual(["flood-200"]);
  });

  it("holds medians against the goals, and those that were not measured against nothing", () => {
    expect(outcomesOf("flood-200", measured)).toMatchObject([
      { goal: { against: "acp-sdk" }, value: 6, reached: true },
    ]);
    expect(outcomesOf("flood-200", { ...measured, "acp-sdk": rates(20, 20, 20) })).toMatchObject([{ reached: false }]);
  });

  it("writes its short table between the markers of the README", () => {
    const text = withTable("before\n<!-- bench -->\nold\n<!-- /bench -->\nafter\n", machine, results, 3);
    expect(text).toMatch(/^before\n<!-- bench -->\n\| {2}\| editwire \|/);
    expect(text).toContain("| flood-200 | 70.0 k/s | 0.70× | 6.00× |");
    expect(text).toMatch(/2026-11-22,\nNode v20.*zod 4\.\n<!-- \/bench -->\nafter\n$/); // wrapped at 120 columns
    expect(() => withTable("no markers", machine, results, 3)).toThrow("<!-- bench -->");
  });
});

describe("the workloads", () => {
  it("are chosen by the beginnings of their names", () => {
    expect(selectWorkloads(["flood-2", "ping"]).map(({ name }) => name)).toEqual([
      "ping",
      "flood-200",
      "flood-200-awaited",
      "flood-2k",
    ]);
    expect(() => selectWorkloads(["flod"])).toThrow("there is no workload flod");
  });

  it("have the figures and contenders that the goals name", () => {
    for (const goal of goals) {
      const workload = workloads.find(({ name }) => name === goal.workload);
      expect(workload?.figures, goal.workload).toHaveProperty(goal.figure);
      expect(workload?.contenders).toEqual(expect.arrayContaining([goal.contender, goal.against ?? goal.contender]));
    }
  });

  it("grow", async () => {
    const workload: Workload = {
      name: "squares",
      title: "",
      size: 10,
      contenders: ["a"],
      figures: { cost: { unit: "ns", better: "less" } },
      measure: async (_contender, size) => ({ cost: size }),
    };
    const rows = await growthRows(workload, { rounds: 1, scale: 1, contendersOf: () => ["a"] }, {} as Bench);
    expect(rows).toEqual([["squares cost", "a", "n = 10", "10.0 ns", "40.0 ns", "160 ns", "×16.0"]]);
  });
});
