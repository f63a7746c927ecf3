import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, type OpenEnum, openEnum } from "./extensible.js";

/** A tool of a server (#tool-updated). */
export interface ServerTool {
  name: string;
  description: string;
  /** The JSON Schema of its arguments. It passes through untouched, and nothing is validated against it. */
  parameters: unknown;
  disabled?: boolean | undefined;
}
export const ServerTool = schemaFor<ServerTool>()(
  z.looseObject({
    name: z.string(),
    description: z.string(),
    parameters: z.unknown(),
    disabled: z.optional(z.boolean()),
  }),
);

/** An argument of an MCP server's prompt. */
export interface ServerPromptArgument {
  name: string;
  description: string;
  required: boolean;
}

/** A prompt of an MCP server, in `v2026`. */
export interface ServerPrompt {
  name: string;
  description: string;
  arguments?: ServerPromptArgument[] | undefined;
}

/** A resource of an MCP server, in `v2026`. */
export interface ServerResource {
  uri: string;
  name: string;
  description: string;
  mimeType: string;
}

/** The server's own tools (#tool-updated). */
export interface EcaServerUpdatedParams {
  type: "native";
  name: OpenEnum<"ECA">;
  status: OpenEnum<"running">;
  tools: ServerTool[];
}
export const EcaServerUpdatedParams = schemaFor<EcaServerUpdatedParams>()(
  z.looseObject({
    type: z.literal("native"),
    name: openEnum(["ECA"]),
    status: openEnum(["running"]),
    tools: z.array(ServerTool),
  }),
);

/** How an MCP server is. */
export type McpServerStatus = OpenEnum<
  "running" | "starting" | "stopped" | "failed" | "disabled" | "requires-auth" | "stopping" | "unknown"
>;

/** An MCP server and what it has (#tool-updated). */
export interface McpServerUpdatedParams {
  type: "mcp";
  name: string;
  /** Absent for a server that is reached by `url`, and in the updates of 2026 of a known one. */
  command?: string | undefined;
  args?: string[] | undefined;
  url?: string | undefined;
  status: McpServerStatus;
  disabled?: boolean | undefined;
  hasAuth?: boolean | undefined;
  tools?: ServerTool[] | undefined;
  prompts?: ServerPrompt[] | undefined;
  resources?: ServerResource[] | undefined;
}
const text = z.optional(z.string());
export const McpServerUpdatedParams = schemaFor<McpServerUpdatedParams>()(
  z.looseObject({
    type: z.literal("mcp"),
    name: z.string(),
    command: text,
    args: z.optional(z.array(z.string())),
    url: text,
    status: openEnum(["running", "starting", "stopped", "failed", "disabled", "requires-auth", "stopping", "unknown"]),
    disabled: z.optional(z.boolean()),
    hasAuth: z.optional(z.boolean()),
    tools: z.optional(z.array(ServerTool)),
    prompts: z.optional(
      z.array(
        z.looseObject({
          name: z.string(),
          description: z.string(),
          arguments: z.optional(
            z.array(z.looseObject({ name: z.string(), description: z.string(), required: z.boolean() })),
          ),
        }),
      ),
    ),
    resources: z.optional(
      z.array(z.looseObject({ uri: z.string(), name: z.string(), description: z.string(), mimeType: z.string() })),
    ),
  }),
);

/** A server of a type that this version does not know; it is kept as it came. */
export interface UnknownServerUpdatedParams extends Extensible {
  type: UnknownTag;
}

/** A server of tools and how it is (#tool-updated). */
export type ToolServerUpdatedParams = EcaServerUpdatedParams | McpServerUpdatedParams | UnknownServerUpdatedParams;
export const ToolServerUpdatedParams = openUnion<ToolServerUpdatedParams>("type", {
  native: EcaServerUpdatedParams,
  mcp: McpServerUpdatedParams,
});

/** Names a server (#stop-mcp-server, #start-mcp-server). */
export interface ServerNameParams {
  name: string;
}
export const ServerNameParams = schemaFor<ServerNameParams>()(z.looseObject({ name: z.string() }));
