import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Prompt, Resource, Tool } from "@modelcontextprotocol/sdk/types.js";

/** What an MCP server offers. */
export interface McpOffer {
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
}

/** The offer of a server that does not run. */
export const emptyOffer: McpOffer = { tools: [], prompts: [], resources: [] };

/** Pages of one list that are read at most. */
const maxPages = 20;

/** Asks a server for everything that it says it has. */
export async function readOffer(client: Client): Promise<McpOffer> {
  const has = client.getServerCapabilities() ?? {};
  const [tools, prompts, resources] = await Promise.all([
    has.tools === undefined
      ? []
      : pages((cursor) => client.listTools(cursor).then(({ tools: items, nextCursor }) => ({ items, nextCursor }))),
    has.prompts === undefined
      ? []
      : pages((cursor) => client.listPrompts(cursor).then(({ prompts: items, nextCursor }) => ({ items, nextCursor }))),
    has.resources === undefined
      ? []
      : pages((cursor) =>
          client.listResources(cursor).then(({ resources: items, nextCursor }) => ({ items, nextCursor })),
        ),
  ]);
  return { tools, prompts, resources };
}

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string | undefined;
}

async function pages<T>(read: (params: { cursor: string } | undefined) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const { items, nextCursor } = await read(cursor === undefined ? undefined : { cursor });
    all.push(...items);
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  return all;
}
