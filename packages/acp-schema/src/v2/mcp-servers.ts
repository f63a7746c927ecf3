import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "../extensible.js";
import { NameValue } from "../mcp-servers.js";

/** An MCP server that the agent starts as a child process; for agents with `session.mcp.stdio`. */
export interface V2McpServerStdio extends Extensible {
  type: "stdio";
  name: string;
  /** Path of the executable, absolute. */
  command: string;
  args?: string[] | undefined;
  env?: NameValue[] | undefined;
}

/** An MCP server over HTTP; for agents with `session.mcp.http`. */
export interface V2McpServerHttp extends Extensible {
  type: "http";
  name: string;
  url: string;
  headers?: NameValue[] | undefined;
}

/** An MCP server of a type that this version does not know. */
export interface UnknownMcpServer extends Extensible {
  type: UnknownTag;
}

/** An MCP server that the client asks the agent to use in a session. An agent refuses a type that it lacks. */
export type V2McpServer = V2McpServerStdio | V2McpServerHttp | UnknownMcpServer;
export const V2McpServer = openUnion<V2McpServer>("type", {
  stdio: schemaFor<V2McpServerStdio>()(
    z.looseObject({
      type: z.literal("stdio"),
      name: z.string(),
      command: z.string(),
      args: z.optional(z.array(z.string())),
      env: z.optional(z.array(NameValue)),
      _meta: meta,
    }),
  ),
  http: schemaFor<V2McpServerHttp>()(
    z.looseObject({
      type: z.literal("http"),
      name: z.string(),
      url: z.string(),
      headers: z.optional(z.array(NameValue)),
      _meta: meta,
    }),
  ),
});
