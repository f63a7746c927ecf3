import { startTimer } from "@editwire/core/timers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type CallToolResult, type Progress, ResultSchema, type Tool } from "@modelcontextprotocol/sdk/types.js";
import { mcpStdio } from "./stdio.js";
import { listMcpTools, type ListMcpToolsOptions } from "./tool-list.js";

/** How a session reaches an MCP server. */
export type McpServerAddress =
  | {
      readonly type: "stdio";
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      /** Environment variables, besides `HOME`, `PATH` and their like. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string | undefined;
    }
  | {
      readonly type: "http" | "sse";
      readonly name: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** Where an MCP server stands. */
export type McpServerStatus = "starting" | "running" | "failed" | "stopped";

/** Limits and listeners of MCP servers. */
export interface McpServerOptions {
  /** The name and version by which servers know this program. */
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Milliseconds that a server has to start and to list its tools. */
  readonly startTimeoutMs: number;
  /** Milliseconds that a call of a tool has, counted again from each report of progress. */
  readonly callTimeoutMs: number;
  /** Tools of one server that are used; more are left out. */
  readonly maxTools: number;
  /** Called once for each tool that cannot be used, with its name. */
  readonly onSkipped: (tool: string, why: string) => void;
  /** Called when the status or the tools of the server change. */
  readonly onChange: () => void;
  /** Called with what a server on stdio writes to stderr. */
  readonly onStderr: (text: string) => void;
}

/** Milliseconds of silence after a change of the list, before it is read again. */
const settleMs = 50;

/** One MCP server of a session, spoken to through the official SDK. */
export class McpServerConnection {
  readonly address: McpServerAddress;
  status: McpServerStatus = "starting";
  /** Why it is `failed`. */
  failure: Error | undefined;
  #tools: readonly Tool[] = [];
  /** The server's instructions for a model. */
  instructions: string | undefined;
  readonly #options: McpServerOptions;
  readonly #client: Client;
  /** The tools that `onSkipped` was called with. */
  readonly #skipped = new Set<string>();
  #lastError: Error | undefined;
  #closing: Promise<void> | undefined;

  constructor(address: McpServerAddress, options: McpServerOptions) {
    this.address = address;
    this.#options = options;
    const changed = { autoRefresh: false, debounceMs: settleMs, onChanged: () => void this.#refresh() };
    this.#client = new Client({ ...options.clientInfo }, { listChanged: { tools: changed } });
    this.#client.onerror = (error) => (this.#lastError = error);
    this.#client.onclose = () => this.#end(this.#lastError ?? new Error("the server ended by itself"));
  }

  get tools(): readonly Tool[] {
    return this.#tools;
  }

  /** Starts the server. Never rejects: the status says what happened. */
  async start(): Promise<void> {
    const { startTimeoutMs } = this.#options;
    let stop = (): void => {};
    const late = new Promise<never>((_resolve, reject) => {
      const error = new Error(`the server did not start within ${startTimeoutMs} ms`);
      stop = startTimer(startTimeoutMs, () => reject(error));
    });
    try {
      await Promise.race([this.#connect(), late]);
      if (this.status !== "starting") return;
      this.status = "running";
      this.#options.onChange();
    } catch (error) {
      this.#end(this.#lastError ?? (error as Error));
      void this.#client.close().catch(() => {}); // the session does not wait for a server that does not end
    } finally {
      stop();
    }
  }

  /** Calls a tool. Rejects with the error of the official SDK, and with the reason of the signal. */
  async call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    { signal, onProgress }: { signal: AbortSignal; onProgress?: ((progress: Progress) => void) | undefined },
  ): Promise<CallToolResult> {
    signal.throwIfAborted();
    const result = await this.#client.callTool({ name, arguments: { ...args } }, undefined, {
      ...this.#bounds(signal),
      resetTimeoutOnProgress: true,
      ...(onProgress === undefined ? {} : { onprogress: onProgress }),
    });
    return result as CallToolResult;
  }

  /** The SDK leaves its listener on a signal, so that each request gets one of its own. */
  #bounds(signal: AbortSignal): { signal: AbortSignal; timeout: number } {
    return { signal: AbortSignal.any([signal]), timeout: this.#options.callTimeoutMs };
  }

  /** Ends the server, with all processes that it started on stdio. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    if (this.status !== "failed") this.status = "stopped";
    this.#tools = [];
    await this.#client.close().catch(() => {});
  }

  async #connect(): Promise<void> {
    const { startTimeoutMs } = this.#options;
    await this.#client.connect(this.#transport(), { timeout: startTimeoutMs });
    this.instructions = this.#client.getInstructions();
    this.#tools = await this.#readTools();
  }

  #readTools(): Promise<readonly Tool[]> {
    const { maxTools } = this.#options;
    const onSkipped = (tool: string, why: string): void => {
      if (this.#skipped.has(tool)) return;
      this.#skipped.add(tool);
      this.#options.onSkipped(tool, why);
    };
    return readTools(this.#client, { maxTools, onSkipped });
  }

  #transport(): Transport {
    const { address } = this;
    if (address.type === "stdio") {
      const { onStderr } = this.#options;
      const { command, args, env, cwd } = address;
      return mcpStdio({ command, args, env, cwd, onStderr });
    }
    const url = new URL(address.url);
    const options = { requestInit: { headers: { ...address.headers } } };
    const Remote = address.type === "sse" ? SSEClientTransport : StreamableHTTPClientTransport;
    return new Remote(url, options) as Transport;
  }

  async #refresh(): Promise<void> {
    try {
      const tools = await this.#readTools();
      if (this.status !== "running" || JSON.stringify(tools) === JSON.stringify(this.#tools)) return;
      this.#tools = tools;
      this.#options.onChange();
    } catch (error) {
      this.#lastError = error as Error; // the tools stay as they were
    }
  }

  #end(failure: Error): void {
    if (this.#closing !== undefined || this.status === "failed" || this.status === "stopped") return;
    this.status = "failed";
    this.failure = failure;
    this.#tools = [];
    this.#options.onChange();
  }
}

/** Asks a server for its tools, if it says that it has some. */
async function readTools(client: Client, options: ListMcpToolsOptions): Promise<readonly Tool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  // `listTools` of the SDK refuses the whole list for one tool.
  const list = (cursor: string | undefined): Promise<unknown> => {
    const params = cursor === undefined ? {} : { cursor };
    return client.request({ method: "tools/list", params }, ResultSchema);
  };
  return (await listMcpTools(list, options)) as unknown as Tool[];
}
