import type { FullConfiguration, KaiakNewFileModification, ToolPermission } from "@editwire/kaiak";
import type { AgentToolCallDiff, AgentToolCallState } from "../api/tool-call-state.js";
import { hunksOf } from "../shared/unified-diff.js";

/** The names that a configuration has for tools of a kind. */
const namesOfKinds: Readonly<Record<string, string>> = {
  read: "read_file",
  search: "read_file",
  edit: "write_file",
  delete: "write_file",
  move: "write_file",
  execute: "shell_command",
  fetch: "web_search",
};

/** The most lines, added and removed together, of a change with this risk. */
const mostLines = { low: 10, medium: 100 };

/**
 * The permission of a tool in the client's configuration: by its own name, else by the name that its kind has there.
 */
export function policyOf(
  { name = "", kind = "" }: Pick<AgentToolCallState, "name" | "kind">,
  { permissions: { tool_permissions: policies = {} } }: Pick<FullConfiguration, "permissions">,
): ToolPermission | undefined {
  const known = [name, Object.hasOwn(namesOfKinds, kind) ? namesOfKinds[kind] : undefined].find(
    (one) => one !== undefined && Object.hasOwn(policies, one),
  );
  return known === undefined ? undefined : policies[known];
}

/**
 * How much can go wrong with a change, by its lines. A new file is not of low risk: nothing says what depends on it.
 */
export function riskOf(diff: AgentToolCallDiff): NonNullable<KaiakNewFileModification["risk_level"]> {
  const lines = hunksOf(diff).match(/^[+-]/gm)?.length ?? 0;
  if (lines <= mostLines.low && diff.oldText !== undefined) return "low";
  return lines <= mostLines.medium ? "medium" : "high";
}

/** Whether there are changes, and all of them are of low risk. */
export function areSafe(diffs: readonly AgentToolCallDiff[]): boolean {
  return diffs.length > 0 && diffs.every((diff) => riskOf(diff) === "low");
}
