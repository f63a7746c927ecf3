import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { McpOffer } from "./mcp-offer.js";

/** Pages of a list that are read at most. */
const maxPages = 100;

/** Asks a server for what it says it has: its tools, and with `readsAll` its prompts and resources. */
export async function readOffer(
  client: Client,
  { maxTools, readsAll = false }: { readonly maxTools: number; readonly readsAll?: boolean | undefined },
): Promise<McpOffer> {
  const has = client.getServerCapabilities() ?? {};
  const listed = async <T>(isThere: boolean, read: (params: Cursor) => Promise<Page<T>>): Promise<readonly T[]> =>
    isThere ? pagesOf(read, maxTools) : [];
  const [tools, prompts, resources] = await Promise.all([
    listed(has.tools !== undefined, async (cursor) => {
      const { tools: items, nextCursor } = await client.listTools(cursor);
      return { items, nextCursor };
    }),
    listed(readsAll && has.prompts !== undefined, async (cursor) => {
      const { prompts: items, nextCursor } = await client.listPrompts(cursor);
      return { items, nextCursor };
    }),
    listed(readsAll && has.resources !== undefined, async (cursor) => {
      const { resources: items, nextCursor } = await client.listResources(cursor);
      return { items, nextCursor };
    }),
  ]);
  return { tools, prompts, resources };
}

type Cursor = { cursor: string } | undefined;

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string | undefined;
}

async function pagesOf<T>(read: (params: Cursor) => Promise<Page<T>>, maxItems: number): Promise<readonly T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && all.length < maxItems; page++) {
    const { items, nextCursor } = await read(cursor === undefined ? undefined : { cursor });
    all.push(...items);
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  return all.slice(0, maxItems);
}
