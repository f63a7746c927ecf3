import type { PlanEntry } from "@editwire/acp-schema";
import { expect, test } from "vitest";
import { renderPlan } from "../../src/render/plan.js";
import { plain } from "../looks.js";

function entries(...statuses: PlanEntry["status"][]): PlanEntry[] {
  return statuses.map((status, index) => ({ content: `Step ${index + 1}\u001b`, priority: "medium", status }));
}

test("a new plan is a checklist", () => {
  const plan = entries("completed", "in_progress", "pending");
  expect(renderPlan(plan, undefined, plain)).toEqual(["Plan", "  ✓ Step 1␛", "  ▸ Step 2␛", "  ○ Step 3␛"]);
});

test("an update of the same plan shows only what moved", () => {
  const before = entries("in_progress", "pending", "pending");
  expect(renderPlan(entries("completed", "in_progress", "pending"), before, plain)).toEqual([
    "  ✓ Step 1␛",
    "  ▸ Step 2␛",
  ]);
  expect(renderPlan(before, before, plain)).toEqual([]);
});

test("a plan with other steps is shown whole", () => {
  expect(renderPlan(entries("pending", "pending"), entries("pending"), plain)).toHaveLength(3);
});
