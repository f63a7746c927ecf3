import type { FullConfiguration, ToolPermission } from "@editwire/kaiak";

/** The names under which `tool_permissions` has the tools of the coding agent, beside their own. */
const commonNames: Readonly<Record<string, string>> = {
  list_files: "read_file",
  search: "read_file",
  edit_file: "write_file",
  run_command: "shell_command",
};

/** What the configuration says about a tool. The tool's own name comes first; an unnamed tool needs approval. */
export function permissionOf(tool: string, { permissions }: Pick<FullConfiguration, "permissions">): ToolPermission {
  const named = permissions.tool_permissions ?? {};
  return named[tool] ?? named[commonNames[tool] ?? tool] ?? "approve";
}

/** The mode of the coding agent that fits the permissions; the system prompt says what the model cannot do. */
export function modeOf(configuration: Pick<FullConfiguration, "permissions">): string {
  const isDenied = (tool: string): boolean => permissionOf(tool, configuration) === "deny";
  if (isDenied("read_file")) return "sandbox";
  if (isDenied("edit_file") && isDenied("write_file")) return "read-only";
  return isDenied("run_command") ? "safe" : "full";
}
