import { pathToFileURL } from "node:url";
import type { ContextSources } from "../../src/contexts/read.js";
import { openFolders } from "../../src/folders.js";
import { McpServers } from "../../src/mcp/servers.js";

/** Folders as contexts are read from, without MCP servers. */
export async function sourcesOf(...paths: readonly string[]): Promise<ContextSources> {
  const folders = await openFolders(
    paths.map((path) => ({ uri: pathToFileURL(path).href })),
    (problem) => {
      throw new Error(problem);
    },
  );
  return {
    folders,
    mcp: new McpServers(
      [],
      () => {},
      () => {},
    ),
  };
}

/** A signal that never aborts. */
export const { signal } = new AbortController();
