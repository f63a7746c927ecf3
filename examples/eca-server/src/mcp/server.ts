import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { McpServerConfig } from "./config.js";
import { emptyOffer, type McpOffer, readOffer } from "./lists.js";

/** Where an MCP server stands. */
export type McpStatus = "running" | "starting" | "stopped" | "failed" | "disabled";

/** Milliseconds that a server has to start and to list what it offers. */
const startTimeoutMs = 30_000;

/**
 * One MCP server: a process of its own, spoken to through the official SDK. Starts and stops happen one after the
 * other.
 */
export class McpServer {
  config: McpServerConfig;
  status: McpStatus;
  offer: McpOffer = emptyOffer;
  /** Why it is `failed`. */
  failure: string | undefined;
  readonly #onChange: (server: McpServer) => void;
  readonly #log: (text: string) => void;
  #client: Client | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(config: McpServerConfig, onChange: (server: McpServer) => void, log: (text: string) => void) {
    this.config = config;
    this.status = config.disabled ? "disabled" : "stopped";
    this.#onChange = onChange;
    this.#log = log;
  }

  /** The client of a running server. Throws for one that does not run. */
  get client(): Client {
    if (this.#client === undefined || this.status !== "running")
      throw new Error(`The MCP server ${this.config.name} is ${this.status}`);
    return this.#client;
  }

  /** Starts the server, unless it runs. Never rejects: the status shows a failure. */
  start(): Promise<void> {
    return this.#next(async () => {
      if (this.#client === undefined) await this.#start();
      else this.#onChange(this);
    });
  }

  /** Stops the server, unless it is stopped. */
  stop(): Promise<void> {
    return this.#next(async () => {
      await this.#close();
      this.#become("stopped");
    });
  }

  /** Stops the server, changes how it is started, and starts it again unless it is disabled now. */
  change(change: Partial<Omit<McpServerConfig, "name">>): Promise<void> {
    return this.#next(async () => {
      await this.#close();
      this.config = { ...this.config, ...change };
      if (this.config.disabled) this.#become("disabled");
      else await this.#start();
    });
  }

  #next(action: () => Promise<void>): Promise<void> {
    return (this.#last = this.#last.then(action));
  }

  async #start(): Promise<void> {
    const { name, command, args, env } = this.config;
    const transport = new StdioClientTransport({ command, args: [...args], env: { ...env }, stderr: "pipe" });
    transport.stderr?.on("data", (chunk: Buffer) => this.#log(`${name}: ${chunk.toString("utf8").trimEnd()}`));
    const refresh = { autoRefresh: false, debounceMs: 50, onChanged: () => void this.#refresh(client) };
    const client = new Client(
      { name: "editwire-eca-server", version: "0.1.0" },
      { listChanged: { tools: refresh, prompts: refresh, resources: refresh } },
    );
    client.onclose = () => {
      if (this.#client === client) this.#fail("it ended by itself");
    };
    this.#client = client;
    this.#become("starting");
    try {
      await client.connect(transport, { timeout: startTimeoutMs });
      this.offer = await readOffer(client);
      if (this.#client === client) this.#become("running");
    } catch (error) {
      if (this.#client === client) this.#fail((error as Error).message);
      await client.close().catch(() => {});
    }
  }

  async #refresh(client: Client): Promise<void> {
    try {
      const offer = await readOffer(client);
      if (this.#client !== client || this.status !== "running") return;
      if (JSON.stringify(offer) === JSON.stringify(this.offer)) return;
      this.offer = offer;
      this.#onChange(this);
    } catch (error) {
      if (this.#client !== client) return;
      this.#log(`${this.config.name}: its lists cannot be read: ${(error as Error).message}`);
    }
  }

  async #close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.offer = emptyOffer;
    await client?.close().catch(() => {});
  }

  #fail(reason: string): void {
    this.#client = undefined;
    this.offer = emptyOffer;
    this.#log(`The MCP server ${this.config.name} failed: ${reason}`);
    this.#become("failed", reason);
  }

  #become(status: McpStatus, failure?: string): void {
    this.status = status;
    this.failure = failure;
    this.#onChange(this);
  }
}
