import type { OptionKinds } from "../options/check-options.js";
import type { CallToolResult, Progress, Tool } from "@modelcontextprotocol/sdk/types.js";
import { callListener, unheardToStderr } from "../options/listeners.js";
import { type McpServerAddress, McpServerConnection, type McpServerOptions } from "./server.js";

/** A tool of an MCP server. */
export interface McpServerTool {
  /** The name by which a model calls it: unique in the session, with at most 64 letters, digits, `_` and `-`. */
  readonly callName: string;
  readonly server: string;
  readonly tool: Tool;
}

/** How the MCP servers of sessions are used. */
export interface McpServersOptions {
  /** The name and version by which servers know the agent. Default `editwire-agent`, `1`. */
  clientInfo?: McpServerOptions["clientInfo"] | undefined;
  /** Milliseconds that a server has to start and to list its tools. Default 30,000. */
  startTimeoutMs?: number | undefined;
  /** Milliseconds that a call has, counted again from each report of progress. Default 120,000. */
  callTimeoutMs?: number | undefined;
  /** Tools of one server; more are left out. Default 500. */
  maxTools?: number | undefined;
  /**
   * Called with the failure of a server and with each tool that is skipped because it does not fit the protocol, whose
   * names are in the text, and with what `onStderr` throws, as the cause of an error. Default: writes to stderr.
   */
  onError?: ((error: Error) => void) | undefined;
  /** Called with what a server on stdio writes to stderr. Default: nothing. */
  onStderr?: ((server: string, text: string) => void) | undefined;
}

/** The kind that each option must have. */
export const mcpOptionKinds: OptionKinds<McpServersOptions> = {
  clientInfo: "object",
  startTimeoutMs: "number",
  callTimeoutMs: "number",
  maxTools: "number",
  onError: "function",
  onStderr: "function",
};

const unheard = (error: unknown): void => unheardToStderr(error, "mcp");

/** The MCP servers of one session. */
export class McpServers {
  readonly servers: readonly McpServerConnection[];
  /** Resolves when each server runs or has failed. */
  readonly started: Promise<void>;

  /** Starts the servers, all at once. `tell` is called with what the user reads of one that has failed. */
  constructor(addresses: readonly McpServerAddress[], options: McpServersOptions, tell: (text: string) => void) {
    const { clientInfo = { name: "editwire-agent", version: "1" }, onStderr = () => {} } = options;
    const { startTimeoutMs = 30_000, callTimeoutMs = 120_000, maxTools = 500 } = options;
    const fail = (text: string, cause: unknown): void =>
      callListener(options.onError ?? unheard, unheard, new Error(text, { cause }));
    this.servers = addresses.map((address) => {
      const server: McpServerConnection = new McpServerConnection(address, {
        clientInfo,
        startTimeoutMs,
        callTimeoutMs,
        maxTools,
        onStderr: (text) =>
          callListener(
            onStderr,
            (error) => fail(`onStderr failed for the MCP server ${address.name}`, error),
            address.name,
            text,
          ),
        onSkipped: (tool, why) =>
          fail(`The MCP server ${address.name}: the tool ${tool} is skipped: ${why}`, new TypeError(why)),
        onChange() {
          const { failure } = server;
          if (failure === undefined) return;
          fail(`The MCP server ${address.name} failed: ${failure.message}`, failure);
          tell(`The MCP server ${address.name} is not available`);
        },
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
function namedTools(servers: readonly McpServerConnection[]): Map<string, { server: McpServerConnection; tool: Tool }> {
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
