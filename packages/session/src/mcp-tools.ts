import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";

/** Pages of the list that are read at most. */
const maxPages = 100;

/** Asks a server for its tools, if it says that it has some. */
export async function readTools(client: Client, maxTools: number): Promise<readonly Tool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const all: Tool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && all.length < maxTools; page++) {
    const { tools, nextCursor } = await client.listTools(cursor === undefined ? undefined : { cursor });
    all.push(...tools);
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  return all.slice(0, maxTools);
}
