import * as z from "zod";
import { defineTool } from "./tool.js";

const Entry = z.object({
  content: z.string().min(1).describe("One step, in a few words"),
  status: z.enum(["pending", "in_progress", "completed"]),
  priority: z.enum(["high", "medium", "low"]).optional(),
});

/** Shows the user the plan; it touches nothing. */
export const updatePlan = defineTool({
  name: "update_plan",
  description:
    "Shows the user your plan for work of several steps. Send the whole plan each time, with one step in progress.",
  access: "none",
  kind: "think",
  input: z.object({ entries: z.array(Entry).min(1).max(20) }),
  view: () => ({ title: "Update the plan" }),
  prepare: ({ entries }, { showPlan }) => ({
    async run() {
      await showPlan(entries.map(({ content, status, priority = "medium" }) => ({ content, status, priority })));
      return { text: "The plan is shown." };
    },
  }),
});
