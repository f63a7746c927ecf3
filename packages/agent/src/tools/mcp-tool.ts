import type { ContentBlock } from "@editwire/acp";
import type { AgentToolCallContent } from "../api/tool-call-state.js";
import type { AgentTool, AgentToolResult } from "./tool.js";

/** The part of a client of MCP that calls tools. `Client` of `@modelcontextprotocol/sdk` has it. */
export interface McpToolCaller {
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    schema?: undefined,
    options?: { signal?: AbortSignal },
  ): Promise<unknown>;
}

/** A tool of an MCP server. */
export interface McpTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: { readonly [key: string]: unknown };
  readonly annotations?: McpToolAnnotations | undefined;
}

/** A server's hints about a tool. An untrusted server may lie. */
export interface McpToolAnnotations {
  readonly title?: string | undefined;
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
}

/** How the tools of an MCP server are used. */
export interface McpToolsOptions {
  /** Is put before the names, such as `github_`, so that tools of several servers do not have one name. Default "". */
  prefix?: string | undefined;
  /**
   * Whether to believe what the server says of its tools: one that says it only reads is then called without asking.
   * Default false: the user is asked before each call.
   */
  trustAnnotations?: boolean | undefined;
  /** Tools that are used; more are left out. Default 500. */
  maxTools?: number | undefined;
  /**
   * Called for each tool that is skipped because it does not fit the protocol; its name is in the text. Default: writes
   * to stderr.
   */
  onError?: ((error: Error) => void) | undefined;
}

/** A tool of a server as one that a model can call. */
export function toolOf(
  client: McpToolCaller,
  tool: McpTool,
  { prefix = "", trustAnnotations = false }: McpToolsOptions,
): AgentTool {
  const { name, description = "", inputSchema, annotations = {} } = tool;
  const reads = trustAnnotations && annotations.readOnlyHint === true;
  return {
    name: prefix + name,
    description,
    inputSchema,
    kind: reads ? "read" : "other",
    asks: !reads,
    describe: () => ({ title: tool.title ?? annotations.title ?? name }),
    async run(input, { signal }) {
      return resultOf(await client.callTool({ name, arguments: argumentsOf(input) }, undefined, { signal }));
    },
  };
}

function argumentsOf(input: unknown): Record<string, unknown> {
  return typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
}

/** The blocks of MCP are those of ACP. */
function resultOf(answer: unknown): AgentToolResult {
  const {
    content = [],
    structuredContent,
    isError,
  } = answer as {
    readonly content?: readonly ContentBlock[];
    readonly structuredContent?: unknown;
    readonly isError?: boolean;
  };
  const texts = content.flatMap((block) => textIn(block));
  if (texts.length === 0 && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent));
  const contents = content.map((block): AgentToolCallContent => ({ type: "content", content: block }));
  return { text: texts.join("\n\n"), contents, isError: isError === true };
}

/** The texts of a block, for a model that reads only text. */
function textIn(block: ContentBlock): string[] {
  if (block.type === "text" && "text" in block) return [block.text];
  if (block.type === "resource" && "resource" in block && "text" in block.resource) return [block.resource.text ?? ""];
  if (block.type === "resource_link" && "uri" in block) return [block.uri];
  return [`(${block.type})`];
}
