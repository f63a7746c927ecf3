import { ToolError } from "@editwire/example-coding-agent";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import type { McpServerConfig } from "./config.js";
import { contentText } from "./content.js";
import { McpServer } from "./server.js";

/** A tool of an MCP server, under the name that the model calls it by. */
export interface McpTool {
  readonly callName: string;
  readonly server: string;
  readonly tool: Tool;
}

/** Milliseconds that a tool has, unless it reports progress. */
const callTimeoutMs = 120_000;

/** The MCP servers of the configuration. */
export class McpServers {
  readonly #servers: Map<string, McpServer>;
  readonly #make: (config: McpServerConfig) => McpServer;

  /** `onChange` is called for every change of a status or a list. */
  constructor(configs: readonly McpServerConfig[], onChange: (server: McpServer) => void, log: (text: string) => void) {
    this.#make = (config) => new McpServer(config, onChange, log);
    this.#servers = new Map(configs.map((config) => [config.name, this.#make(config)]));
  }

  /** The server of a name. */
  get(name: string): McpServer | undefined {
    return this.#servers.get(name);
  }

  get all(): McpServer[] {
    return [...this.#servers.values()];
  }

  /** The servers that run. */
  get running(): McpServer[] {
    return this.all.filter(({ status }) => status === "running");
  }

  /** Starts all that are not disabled. Resolves when each runs or has failed. */
  async startAll(): Promise<void> {
    await Promise.all(this.all.map((server) => (server.config.disabled ? undefined : server.start())));
  }

  /** Starts a server; a name that nobody has is ignored. */
  async start(name: string): Promise<void> {
    await this.#servers.get(name)?.start();
  }

  /** Stops a server; a name that nobody has is ignored. */
  async stop(name: string): Promise<void> {
    await this.#servers.get(name)?.stop();
  }

  /** Adds a server, whose name nobody has. It is for the caller to start. */
  add(config: McpServerConfig): McpServer {
    const server = this.#make(config);
    this.#servers.set(config.name, server);
    return server;
  }

  /** Stops a server and forgets it. */
  async remove(name: string): Promise<void> {
    const server = this.#servers.get(name);
    this.#servers.delete(name);
    await server?.stop();
  }

  /** Stops all. */
  async close(): Promise<void> {
    await Promise.all(this.all.map((server) => server.stop()));
  }

  /** The tools of the servers that run. */
  get tools(): McpTool[] {
    return this.running.flatMap(({ config, offer }) =>
      offer.tools.map((tool) => ({ callName: callNameOf(config.name, tool.name), server: config.name, tool })),
    );
  }

  /** Calls a tool. A tool that fails says so in `error`; throws a `ToolError` when it cannot be called. */
  async call(
    { server, tool }: McpTool,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<{ text: string; error: boolean }> {
    const result = await this.#ask(server, signal, ({ client }) =>
      client.callTool({ name: tool.name, arguments: args }, undefined, {
        signal: AbortSignal.any([signal]),
        timeout: callTimeoutMs,
        resetTimeoutOnProgress: true,
      }),
    );
    return { text: contentText(result.content), error: result.isError === true };
  }

  /** The text of a prompt, with its arguments filled in. */
  async prompt(server: string, name: string, args: Record<string, string>, signal: AbortSignal): Promise<string> {
    const { messages } = await this.#ask(server, signal, ({ client }) =>
      client.getPrompt({ name, arguments: args }, { signal: AbortSignal.any([signal]) }),
    );
    return messages.map(({ content }) => contentText([content])).join("\n\n");
  }

  /** The text of a resource. */
  async read(server: string, uri: string, signal: AbortSignal): Promise<string> {
    const { contents } = await this.#ask(server, signal, ({ client }) =>
      client.readResource({ uri }, { signal: AbortSignal.any([signal]) }),
    );
    return contents
      .map((part) => ("text" in part ? part.text : `[${part.mimeType ?? "binary"} content of ${part.uri}]`))
      .join("\n");
  }

  async #ask<T>(name: string, signal: AbortSignal, ask: (server: McpServer) => Promise<T>): Promise<T> {
    const server = this.#servers.get(name);
    if (server === undefined) throw new ToolError(`There is no MCP server ${name}`);
    try {
      return await ask(server);
    } catch (error) {
      signal.throwIfAborted();
      throw new ToolError((error as Error).message, { cause: error });
    }
  }
}

/** A name that model endpoints take: letters, digits, `_` and `-`, at most 64. */
function callNameOf(server: string, tool: string): string {
  return `${server}__${tool}`.replaceAll(/[^\w-]/g, "_").slice(0, 64);
}
