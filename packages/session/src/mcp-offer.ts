import type { Prompt, Resource, Tool } from "@modelcontextprotocol/sdk/types.js";

/** What an MCP server offers. */
export interface McpOffer {
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
}

/** The offer of a server that does not run. */
export const emptyOffer: McpOffer = { tools: [], prompts: [], resources: [] };
