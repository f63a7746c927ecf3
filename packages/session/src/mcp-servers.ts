import type { CallToolResult, Progress, Tool } from "@modelcontextprotocol/sdk/types.js";
import { type McpServerAddress, McpServerConnection, type McpServerOptions } from "./mcp-server.js";

/** A tool of an MCP server. */
export interface McpServerTool {
  /** The name by which a model calls it: unique in the session, with at most 64 letters, digits, `_` and `-`. */
  readonly callName: string;
  readonly server: string;
  readonly tool: Tool;
}

/** How MCP servers are used. */
export interface McpServersOptions extends Omit<McpServerOptions, "onChange" | "onStderr"> {
  /** Called when the status or the tools of a server change. */
  readonly onChange: (server: McpServerConnection) => void;
  /** Called with what a server on stdio writes to stderr. */
  readonly onStderr: (server: string, text: string) => void;
}

/** The MCP servers of one session. */
export class McpServers {
  readonly servers: readonly McpServerConnection[];
  /** Resolves when each server runs or has failed. */
  readonly started: Promise<void>;

  /** Starts the servers, all at once. */
  constructor(addresses: readonly McpServerAddress[], options: McpServersOptions) {
    this.servers = addresses.map((address) => {
      const server: McpServerConnection = new McpServerConnection(address, {
        ...options,
        onChange: () => options.onChange(server),
        onStderr: (text) => options.onStderr(address.name, text),
      });
      return server;
    });
    this.started = Promise.all(this.servers.map((server) => server.start())).then(() => {});
  }

  /** The tools of the servers that run. */
  get tools(): McpServerTool[] {
    return [...namedTools(this.servers)].map(([callName, { server, tool }]) => ({
      callName,
      server: server.address.name,
      tool,
    }));
  }

  /** The tool of this `callName`. */
  find(callName: string): McpServerTool | undefined {
    return this.tools.find((tool) => tool.callName === callName);
  }

  /** Calls a tool by its `callName`. Rejects with an `Error` for one that no running server has. */
  async call(
    callName: string,
    args: Readonly<Record<string, unknown>>,
    options: { signal: AbortSignal; onProgress?: ((progress: Progress) => void) | undefined },
  ): Promise<CallToolResult> {
    const found = namedTools(this.servers).get(callName);
    if (found === undefined) throw new Error(`no MCP server has the tool ${callName}`);
    return found.server.call(found.tool.name, args, options);
  }

  /** Ends all servers. */
  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.close()));
  }
}

/** The tools of servers by their `callName`, which is unique among them. */
export function namedTools(
  servers: readonly McpServerConnection[],
): Map<string, { server: McpServerConnection; tool: Tool }> {
  const named = new Map<string, { server: McpServerConnection; tool: Tool }>();
  for (const server of servers)
    for (const tool of server.tools) named.set(freeName(named, server.address.name, tool.name), { server, tool });
  return named;
}

/** Endpoints of models take names of these characters and of this length. */
function freeName(taken: ReadonlyMap<string, unknown>, server: string, tool: string): string {
  const name = `${server}__${tool}`.replaceAll(/[^\w-]/g, "_");
  for (let number = 1; ; number++) {
    const end = number === 1 ? "" : `_${number}`;
    const candidate = name.slice(0, 64 - end.length) + end;
    if (!taken.has(candidate)) return candidate;
  }
}
