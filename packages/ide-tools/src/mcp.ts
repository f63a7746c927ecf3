import { isSmanToolName, type SmanToolName, smanTools } from "@editwire/sman-schema";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { toolArguments } from "./arguments.js";
import { ToolError } from "./errors.js";
import type { IdeTools } from "./tools.js";

/** Options of an MCP server. */
export interface McpOptions {
  /** Called with what a tool throws besides a `ToolError`. The client only receives that the tool failed. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const descriptions: Readonly<Record<SmanToolName, string>> = {
  grep_file: "Searches one file of the project, or all of them, line by line, for a text or a regular expression.",
  read_file: "Reads a text file of the project: a range of lines, a line with its context, or all of it.",
  call_chain: "Lists the methods that call a method, and those that it calls. The method is written Class.method.",
  apply_change:
    "Replaces a passage of a file, which must occur exactly once, or creates a file when searchContent is absent.",
};

/**
 * The tools as a server of the official MCP SDK; connect it to a transport. When a tool refuses a call, the result has
 * `isError`.
 */
export function mcpServer(tools: IdeTools, { onError }: McpOptions = {}): Server {
  const info = { name: "editwire-ide-tools", version: "0.1.0" };
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.keys(toolArguments).filter(isSmanToolName).map(toolOf),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const { name, arguments: input = {} } = params;
    if (!isSmanToolName(name))
      throw new McpError(ErrorCode.InvalidParams, `tools/call: the tool ${name} does not exist`);
    try {
      return resultOf(await call(tools, name, input, signal));
    } catch (error) {
      if (error instanceof ToolError) return { ...resultOf(error.message), isError: true };
      onError?.(error);
      return { ...resultOf(`${name} failed`), isError: true };
    }
  });
  return server;
}

function toolOf(name: SmanToolName): Tool {
  const { properties = {}, required = [] } = z.toJSONSchema(toolArguments[name], { io: "input" });
  return {
    name,
    description: descriptions[name],
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, { ...Object(schema) }])),
      required,
    },
    annotations: { readOnlyHint: name !== "apply_change", openWorldHint: false },
  };
}

function call(tools: IdeTools, name: SmanToolName, input: object, signal: AbortSignal): Promise<string> {
  const options = { signal };
  switch (name) {
    case "grep_file":
      return tools.grep_file(named(smanTools.grep_file, input), options);
    case "read_file":
      return tools.read_file(named(smanTools.read_file, input), options);
    case "call_chain":
      return tools.call_chain(named(smanTools.call_chain, input), options);
    case "apply_change":
      return tools.apply_change(named(smanTools.apply_change, input), options);
  }
}

/** A connection's part of the params, which MCP does not have. */
const site = { projectKey: "", webSocketSessionId: "" };

/** Refuses arguments under other names, which would be overlooked. The tool checks their bounds. */
function named<Params>(schema: z.core.$ZodType<Params>, input: object): Params {
  const { success, data, error } = z.safeParse(schema, { ...input, ...site });
  if (!success) throw new ToolError(z.prettifyError(error), { code: "argument", detail: z.prettifyError(error) });
  return data;
}

function resultOf(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}
