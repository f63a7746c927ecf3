import type {
  McpServer,
  PermissionOption,
  PermissionOptionKind,
  SessionModeState,
  SessionUpdate,
  ToolCallUpdate,
} from "@editwire/acp-schema";
import type { AgentTurn } from "./agent-turn.js";

/** Updates that a session keeps for `session/load`; the oldest go first. */
const maxHistory = 10_000;

/** How the user, or the client for them, answered a permission request. */
export type PermissionDecision =
  | {
      readonly outcome: "selected";
      readonly optionId: string;
      readonly kind: PermissionOptionKind;
      readonly allowed: boolean;
    }
  | { readonly outcome: "cancelled"; readonly allowed: false };

/** The client that opened or last loaded a session: its updates and permission requests go there. */
export interface SessionClient {
  /** Its connection is closed. */
  readonly gone: boolean;
  update(sessionId: string, update: SessionUpdate): void | Promise<void>;
  /** Rejects with `aborted` when the signal does. */
  askPermission(
    sessionId: string,
    toolCall: ToolCallUpdate,
    options: PermissionOption[],
    signal: AbortSignal,
  ): Promise<PermissionDecision>;
}

/** A session as an agent's handlers see it. */
export interface AcpAgentSession {
  readonly id: string;
  /** Absolute path, as the client gave it. */
  readonly cwd: string;
  /** The MCP servers that the client asked for; stdio only. */
  readonly mcpServers: readonly McpServer[];
  /** The id of the current mode. */
  readonly modeId: string;
  /** Whatever the agent wants to keep with the session. */
  readonly state: Map<string, unknown>;
  /** Sends an update outside of a turn. A promise comes back only when the client is slow. */
  update(update: SessionUpdate): void | Promise<void>;
}

/** What opens or re-opens a session. */
export interface SessionOptions {
  readonly cwd: string;
  readonly mcpServers: readonly McpServer[];
  readonly modes: SessionModeState;
}

/** An `AcpAgentSession` with the side that the connection drives. */
export class AgentSession implements AcpAgentSession {
  readonly id: string;
  readonly state = new Map<string, unknown>();
  /** The running turn. */
  turn: AgentTurn | undefined;
  /** The client to talk to. */
  client: SessionClient;
  #options: SessionOptions;
  #held: SessionUpdate[] | undefined;
  #history: SessionUpdate[] = [];

  constructor(id: string, options: SessionOptions, client: SessionClient) {
    this.id = id;
    this.#options = options;
    this.client = client;
  }

  get cwd(): string {
    return this.#options.cwd;
  }

  get mcpServers(): readonly McpServer[] {
    return this.#options.mcpServers;
  }

  get modes(): SessionModeState {
    return this.#options.modes;
  }

  get modeId(): string {
    return this.modes.currentModeId;
  }

  set modeId(currentModeId: string) {
    this.#options = { ...this.#options, modes: { ...this.modes, currentModeId } };
  }

  update(update: SessionUpdate): void | Promise<void> {
    this.record(update);
    if (this.#held !== undefined) this.#held.push(update);
    else return this.client.update(this.id, update);
  }

  /** Keeps an update for `replay`. */
  record(update: SessionUpdate): void {
    if (update.sessionUpdate === "current_mode_update") return;
    this.#history.push(update);
    // In blocks: to drop one at a time would cost each update as much as the history is long.
    if (this.#history.length >= 2 * maxHistory) this.#history = this.#history.slice(-maxHistory);
  }

  /** Replaces the history, when the agent loads it from a store of its own. */
  restore(history: readonly SessionUpdate[]): void {
    this.#history = history.slice(-maxHistory);
  }

  /** Gives the session to another client, which asks for it with `session/load`. */
  adopt(options: Pick<SessionOptions, "cwd" | "mcpServers">, client: SessionClient): void {
    this.#options = { ...this.#options, cwd: options.cwd, mcpServers: options.mcpServers };
    this.client = client;
  }

  /** Sends the history, in order, as fast as the client takes it. */
  async replay(): Promise<void> {
    for (const update of this.#history.slice(-maxHistory)) await this.client.update(this.id, update);
  }

  /** Holds updates back until the client knows the session: its id travels in the result of `session/new`. */
  hold(): void {
    this.#held = [];
  }

  /** Sends what was held. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const update of held) void this.client.update(this.id, update);
  }
}
