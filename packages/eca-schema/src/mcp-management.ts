import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { ResultError } from "./chats.js";
import { type OpenEnum, openEnum, type UserMap } from "./extensible.js";
import { McpServerUpdatedParams } from "./tool-servers.js";

/** Changes how an MCP server is reached, and starts it again. */
export interface McpUpdateServerParams {
  name: string;
  command?: string | undefined;
  args?: string[] | undefined;
  url?: string | undefined;
}
const text = z.optional(z.string());
const update = { name: z.string(), command: text, args: z.optional(z.array(z.string())), url: text };
export const McpUpdateServerParams = schemaFor<McpUpdateServerParams>()(z.looseObject(update));

/** Adds an MCP server to the configuration, and starts it. */
export interface McpAddServerParams extends McpUpdateServerParams {
  env?: UserMap<string> | undefined;
  headers?: UserMap<string> | undefined;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  oauthPort?: number | undefined;
  /**
   * Which servers of this name share their credentials: those of all projects, those of this project, or those that
   * name the same word. Default `global`.
   */
  authScope?: OpenEnum<"global" | "workspace"> | undefined;
  disabled?: boolean | undefined;
  /** Whose configuration gets it. Default `global`. */
  scope?: OpenEnum<"global" | "workspace"> | undefined;
  /** Needed for the scope `workspace`. */
  workspaceUri?: string | undefined;
}
export const McpAddServerParams = schemaFor<McpAddServerParams>()(
  z.looseObject({
    ...update,
    env: z.optional(z.record(z.string(), z.string())),
    headers: z.optional(z.record(z.string(), z.string())),
    clientId: text,
    clientSecret: text,
    oauthPort: z.optional(z.int()),
    authScope: z.optional(openEnum(["global", "workspace"])),
    disabled: z.optional(z.boolean()),
    scope: z.optional(openEnum(["global", "workspace"])),
    workspaceUri: text,
  }),
);

/** The server that was added, or why it was not. */
export interface McpAddServerResult {
  server?: McpServerUpdatedParams | undefined;
  error?: ResultError | undefined;
}
export const McpAddServerResult = schemaFor<McpAddServerResult>()(
  z.looseObject({ server: z.optional(McpServerUpdatedParams), error: z.optional(ResultError) }),
);

/** The server that was removed, or why it was not. */
export interface McpRemoveServerResult {
  name?: string | undefined;
  removed?: boolean | undefined;
  error?: ResultError | undefined;
}
export const McpRemoveServerResult = schemaFor<McpRemoveServerResult>()(
  z.looseObject({ name: text, removed: z.optional(z.boolean()), error: z.optional(ResultError) }),
);
