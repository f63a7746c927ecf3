import { type Schema, schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "../extensible.js";
import { McpServer } from "../mcp-servers.js";

/** An MCP server that the client provides itself: its messages travel in `mcp/message`. */
export interface McpServerAcp extends Extensible {
  type: "acp";
  name: string;
  /** Unique among the servers that the client provides on the connection. */
  serverId: string;
}

/** An MCP server that the client asks the agent to use in a session, with what is unstable. */
export type UnstableMcpServer = McpServer | McpServerAcp;

const acpServer = z.looseObject({ type: z.literal("acp"), name: z.string(), serverId: z.string(), _meta: meta });
const stable = (McpServer as unknown as z.ZodMiniDiscriminatedUnion<readonly (typeof acpServer)[]>).def.options;

export const UnstableMcpServer = z.discriminatedUnion("type", [
  acpServer,
  ...stable,
]) as unknown as Schema<UnstableMcpServer>;

/** A message of MCP about one request: the request itself, or a notification while it is active. */
export interface McpMessageParams extends Extensible {
  /** The server, as `mcpServers` names it. */
  serverId: string;
  /** Names the request among the active ones of the connection. It is not the id of the JSON-RPC message. */
  requestId: string;
  /** The method of MCP, such as `tools/call`. */
  method: string;
  params?: Record<string, unknown> | undefined;
}
export const McpMessageParams = schemaFor<McpMessageParams>()(
  z.looseObject({
    serverId: z.string(),
    requestId: z.string(),
    method: z.string(),
    params: z.optional(z.record(z.string(), z.unknown())),
    _meta: meta,
  }),
);

/** An error of the MCP server. One of the connection is an error of `mcp/message` itself. */
export interface McpMessageError extends Extensible {
  code: number;
  message: string;
  data?: unknown;
}
export const McpMessageError = schemaFor<McpMessageError>()(
  z.looseObject({ code: z.int(), message: z.string(), data: z.optional(z.unknown()), _meta: meta }),
);

/** How an MCP server answered: by a result, null too, or by an error. */
export type McpMessageResult = McpMessageOutcome | McpMessageFailure;

/** The MCP server's result. */
export interface McpMessageOutcome extends Extensible {
  result: unknown;
}

/** The MCP server's error. */
export interface McpMessageFailure extends Extensible {
  error: McpMessageError;
}

const carriesResult = z
  .looseObject({ result: z.unknown(), _meta: meta })
  .check(z.refine((value) => "result" in value, { error: "expected a result or an error", path: ["result"] }));

export const McpMessageResult = z.union([
  carriesResult,
  z.looseObject({ error: McpMessageError, _meta: meta }),
]) as unknown as Schema<McpMessageResult>;
