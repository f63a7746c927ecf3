import type { Configuration } from "./configuration.js";

/** The values that a server uses for settings that a configuration leaves out. */
export const configurationDefaults = {
  workspace: { include_patterns: ["**/*"], exclude_patterns: [".git/**", "target/**", "node_modules/**"] },
  model: {
    provider: "databricks",
    model: "databricks-meta-llama-3-1-405b-instruct",
    temperature: 0.1,
    max_tokens: 4_096,
  },
  tools: {
    enabled_extensions: ["developer", "todo", "extensionmanager"],
    custom_tools: [],
    planning_mode: false,
    max_tool_calls: 10,
  },
  session: { max_turns: 1_000, retry_config: null },
  permissions: {
    tool_permissions: { read_file: "allow", write_file: "approve", shell_command: "deny", web_search: "allow" },
  },
} as const;

/** A configuration with everything filled in, section by section and field by field. */
export type FullConfiguration = {
  readonly [Section in keyof Configuration]-?: NonNullable<Configuration[Section]>;
};

/** Fills what a configuration leaves out. Permissions of tools that it does not name keep their defaults. */
export function withDefaults(configuration: Configuration): FullConfiguration {
  const { workspace, model, tools, session, permissions } = configuration;
  const defaults = structuredClone(configurationDefaults) as unknown as FullConfiguration;
  return {
    ...configuration,
    workspace: { ...defaults.workspace, ...workspace },
    model: { ...defaults.model, ...model },
    tools: { ...defaults.tools, ...tools },
    session: { ...defaults.session, ...session },
    permissions: {
      ...permissions,
      tool_permissions: { ...defaults.permissions.tool_permissions, ...permissions?.tool_permissions },
    },
  };
}
