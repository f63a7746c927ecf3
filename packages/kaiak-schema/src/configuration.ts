import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { anyObject, count, timestamp } from "./fields.js";

/** The project that the agent works on. */
export interface WorkspaceConfiguration {
  /** Absolute path. The directory must exist. */
  working_dir: string;
  /** Globs of the files that the agent may change. Default `["**\/*"]`. */
  include_patterns?: string[] | undefined;
  /** Globs of the files that it must leave alone. Default `.git`, `target` and `node_modules`. */
  exclude_patterns?: string[] | undefined;
}
export const WorkspaceConfiguration = schemaFor<WorkspaceConfiguration>()(
  z.looseObject({
    working_dir: z.string(),
    include_patterns: z.optional(z.array(z.string())),
    exclude_patterns: z.optional(z.array(z.string())),
  }),
);

/** The model that the agent asks. */
export interface ModelConfiguration {
  provider?: string | undefined;
  model?: string | undefined;
  temperature?: number | undefined;
  max_tokens?: number | undefined;
}
export const ModelConfiguration = schemaFor<ModelConfiguration>()(
  z.looseObject({
    provider: z.optional(z.string()),
    model: z.optional(z.string()),
    temperature: z.optional(z.number()),
    max_tokens: z.optional(count),
  }),
);

/** The tools that the agent has. */
export interface ToolsConfiguration {
  enabled_extensions?: string[] | undefined;
  custom_tools?: Record<string, unknown>[] | undefined;
  planning_mode?: boolean | undefined;
  /** Tool calls of one run; 1 to 10,000. */
  max_tool_calls?: number | undefined;
}
export const ToolsConfiguration = schemaFor<ToolsConfiguration>()(
  z.looseObject({
    enabled_extensions: z.optional(z.array(z.string())),
    custom_tools: z.optional(z.array(anyObject)),
    planning_mode: z.optional(z.boolean()),
    max_tool_calls: z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
  }),
);

/** The limits of a session. */
export interface SessionConfiguration {
  max_turns?: number | undefined;
  retry_config?: Record<string, unknown> | null | undefined;
}
export const SessionConfiguration = schemaFor<SessionConfiguration>()(
  z.looseObject({ max_turns: z.optional(count), retry_config: z.optional(z.nullable(anyObject)) }),
);

/** The permission of a tool: run, run after the user agreed, or do not run. */
export type ToolPermission = "allow" | "approve" | "deny";
/** All values of `ToolPermission`. */
const toolPermissions = ["allow", "approve", "deny"] as const satisfies readonly ToolPermission[];

/** Which tools may run. */
export interface PermissionsConfiguration {
  /** By the name of the tool. */
  tool_permissions?: Record<string, ToolPermission> | undefined;
}
export const PermissionsConfiguration = schemaFor<PermissionsConfiguration>()(
  z.looseObject({ tool_permissions: z.optional(z.record(z.string(), z.enum(toolPermissions))) }),
);

/** A configuration. The server fills what is left out. */
export interface Configuration {
  workspace: WorkspaceConfiguration;
  model?: ModelConfiguration | undefined;
  tools?: ToolsConfiguration | undefined;
  session?: SessionConfiguration | undefined;
  permissions?: PermissionsConfiguration | undefined;
}
export const Configuration = schemaFor<Configuration>()(
  z.looseObject({
    workspace: WorkspaceConfiguration,
    model: z.optional(ModelConfiguration),
    tools: z.optional(ToolsConfiguration),
    session: z.optional(SessionConfiguration),
    permissions: z.optional(PermissionsConfiguration),
  }),
);

/** Configures the server (`kaiak/configure`). It holds for the sessions that begin later. */
export interface ConfigureParams {
  configuration: Configuration;
  /** Applies it to the sessions that exist, too. Default false. */
  reset_existing?: boolean | undefined;
}
export const ConfigureParams = schemaFor<ConfigureParams>()(
  z.looseObject({ configuration: Configuration, reset_existing: z.optional(z.boolean()) }),
);

/** A configuration with everything filled in, or what a server reports of it. */
export interface AppliedConfiguration {
  workspace?: WorkspaceConfiguration | undefined;
  model?: ModelConfiguration | undefined;
  tools?: ToolsConfiguration | undefined;
  session?: SessionConfiguration | undefined;
  permissions?: PermissionsConfiguration | undefined;
}
export const AppliedConfiguration = schemaFor<AppliedConfiguration>()(
  z.looseObject({
    workspace: z.optional(WorkspaceConfiguration),
    model: z.optional(ModelConfiguration),
    tools: z.optional(ToolsConfiguration),
    session: z.optional(SessionConfiguration),
    permissions: z.optional(PermissionsConfiguration),
  }),
);

/** The server's answer to a configuration. */
export interface ConfigureResult {
  status: "success";
  message: string;
  configuration_applied: AppliedConfiguration;
  warnings: string[];
  timestamp: string;
}
export const ConfigureResult = schemaFor<ConfigureResult>()(
  z.looseObject({
    status: z.literal("success"),
    message: z.string(),
    configuration_applied: AppliedConfiguration,
    warnings: z.array(z.string()),
    timestamp,
  }),
);
