import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ResultSchema, type Tool } from "@modelcontextprotocol/sdk/types.js";
import { listMcpTools, type ListMcpToolsOptions } from "./tool-list.js";

/** Asks a server for its tools, if it says that it has some. */
export async function readTools(client: Client, options: ListMcpToolsOptions): Promise<readonly Tool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  // `listTools` of the SDK refuses the whole list for one tool.
  const list = (cursor: string | undefined): Promise<unknown> => {
    const params = cursor === undefined ? {} : { cursor };
    return client.request({ method: "tools/list", params }, ResultSchema);
  };
  return (await listMcpTools(list, options)) as unknown as Tool[];
}
