import { callListener, checkOptions, listMcpTools, unheardToStderr } from "@editwire/session";
import * as z from "zod/mini";
import { type McpToolCaller, type McpToolsOptions, toolOf } from "./mcp-tool.js";
import type { AgentTool } from "./tool.js";

/** The part of a client of MCP that its tools need. `Client` of `@modelcontextprotocol/sdk` has it. */
export interface McpClient extends McpToolCaller {
  request(
    request: { method: "tools/list"; params: { cursor?: string } },
    resultSchema: z.core.$ZodType<object>,
  ): Promise<unknown>;
}

/** Not `listTools` of the SDK, which refuses the whole list for one tool. */
const result = z.looseObject({});
const unheard = (error: unknown): void => unheardToStderr(error, "mcpTools");

/**
 * The tools of an MCP server. Rejects with what `client.request` rejects with. The client reads the wire: the SDK's
 * `StdioClientTransport` skips a message that noise without a line break is attached to, and the call waits until its
 * time-out. `createSessionMcp` reads such messages.
 */
export async function mcpTools(client: McpClient, options: McpToolsOptions = {}): Promise<AgentTool[]> {
  const kinds = { prefix: "text", trustAnnotations: "boolean", maxTools: "number", onError: "function" } as const;
  checkOptions("mcpTools", options, kinds);
  const { maxTools = 500, onError = unheard } = options;
  const list = (cursor: string | undefined): Promise<unknown> =>
    client.request({ method: "tools/list", params: cursor === undefined ? {} : { cursor } }, result);
  const onSkipped = (tool: string, why: string): void =>
    callListener(onError, unheard, new TypeError(`the MCP tool ${tool} is skipped: ${why}`));
  const tools = await listMcpTools(list, { maxTools, onSkipped });
  return tools.map((tool) => toolOf(client, tool, options));
}
