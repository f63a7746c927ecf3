import type { AgentEvent } from "../api/events.js";
import type { FactReports } from "../mapping/reports.js";
import { showsMore } from "./tool-calls.js";

/** Reports what is lost of an event, whether it happens now or a chat is opened again. */
export function reportLosses(event: AgentEvent, { report, otherwise }: FactReports): void {
  if (event.type === "content" || event.type === "plan") report(event.type);
  if (event.type !== "tool_call") return;
  const { kind, locations, contents, status } = event.toolCall;
  if (showsMore(event.toolCall)) otherwise("tool_output");
  if (kind !== undefined) report("tool_kind");
  if (locations.length > 0) report("tool_locations");
  if (contents.some(({ type }) => type === "diff")) report("tool_diff");
  if (contents.some(({ type }) => type === "terminal")) report("tool_terminal");
  if (status === "cancelled") report("tool_cancelled");
}
