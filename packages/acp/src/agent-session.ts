import type {
  Acp,
  ClientCapabilities,
  McpServer,
  Meta,
  PermissionOption,
  PermissionOptionKind,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
  ToolCallUpdate,
} from "@editwire/acp-schema";
import type { CallOptions, ParamsOf, RequestName, ResultOf } from "@editwire/core";
import { type Evictable, History } from "@editwire/session";
import { EndedCalls } from "./agent-ended-calls.js";
import type { Demands } from "./capabilities.js";
import type { AgentTurn } from "./agent-turn.js";

/** How the user, or the client for them, answered a permission request. */
export type PermissionDecision =
  | {
      readonly outcome: "selected";
      readonly optionId: string;
      readonly kind: PermissionOptionKind;
      readonly allowed: boolean;
    }
  | { readonly outcome: "cancelled"; readonly allowed: false };

/** The client that opened or last loaded a session. Its updates and permission requests go there. */
export interface SessionClient {
  /** True when its connection is closed. */
  readonly gone: boolean;
  /** Whose client it is, as `authenticate` of the listener says. */
  readonly caller: string | undefined;
  /** What the client declared. */
  readonly capabilities: ClientCapabilities;
  readonly demands: Demands;
  /** Says whether the client takes an update. */
  shows(update: SessionUpdate): boolean;
  request<N extends RequestName<Acp, "agent">>(
    method: N,
    params: ParamsOf<Acp, N>,
    options: CallOptions,
  ): Promise<ResultOf<Acp, N>>;
  update(sessionId: string, update: SessionUpdate): void | Promise<void>;
  /** Rejects with `aborted` when the signal aborts. */
  askPermission(
    sessionId: string,
    toolCall: ToolCallUpdate,
    options: readonly PermissionOption[],
    signal: AbortSignal,
  ): Promise<PermissionDecision>;
}

/** A session as an agent's handlers see it. */
export interface AcpAgentSession {
  readonly id: string;
  /**
   * Whose session it is: what `authenticate` of the listener returned, `undefined` without it. For others it does not
   * exist.
   */
  readonly caller: string | undefined;
  /** Absolute path, as the client gave it. */
  readonly cwd: string;
  /** Further folders, as the client gave them; in the official dialect. */
  readonly additionalDirectories: readonly string[];
  /** The MCP servers that the client asked for, of the types that the agent's capabilities declare; stdio always. */
  readonly mcpServers: readonly McpServer[];
  /** The `_meta` of the request that opened or last loaded the session. */
  readonly meta: Meta | undefined;
  /** The id of the current mode; absent when the agent has no modes. */
  readonly modeId: string | undefined;
  /** The settings that the user can change, with their values. */
  readonly configOptions: readonly SessionConfigOption[];
  /** Whatever the agent wants to keep with the session. */
  readonly state: Map<string, unknown>;
  /** Sends an update outside of a turn. Returns a promise only when the client is slow. */
  update(update: SessionUpdate): void | Promise<void>;
}

/** What opens or loads a session. */
export interface SessionSetup {
  readonly cwd: string;
  readonly mcpServers: readonly McpServer[];
  readonly [key: string]: unknown;
  readonly _meta?: Meta | undefined;
}

/** What a session needs besides its setup. */
interface SessionParts {
  readonly modes: SessionModeState | undefined;
  readonly configOptions: readonly SessionConfigOption[] | undefined;
  readonly client: SessionClient;
  /** Whether an ended tool call may not go on. */
  readonly strict: boolean;
  /** Called with the characters that the history has more now. */
  readonly onGrowth: (session: AgentSession, chars: number) => void;
}

/** Updates about what the answer to `session/load` says. */
const notReplayed: readonly string[] = ["current_mode_update", "config_option_update"];

/** An `AcpAgentSession` with the part that the connection uses. */
export class AgentSession implements AcpAgentSession, Evictable {
  readonly id: string;
  readonly caller: string | undefined;
  readonly state = new Map<string, unknown>();
  /** The running turn. */
  turn: AgentTurn | undefined;
  /** Resolves when the running turn is over. */
  turnOver: Promise<void> | undefined;
  /** The client to send to. */
  client: SessionClient;
  modes: SessionModeState | undefined;
  configOptions: readonly SessionConfigOption[];
  #setup: SessionSetup;
  #held: SessionUpdate[] | undefined;
  readonly #history = new History<SessionUpdate>();
  readonly #onGrowth: SessionParts["onGrowth"];
  /** In strict mode. */
  readonly #ended: EndedCalls | undefined;

  constructor(id: string, setup: SessionSetup, { modes, configOptions, client, strict, onGrowth }: SessionParts) {
    this.id = id;
    this.caller = client.caller;
    this.#setup = setup;
    this.modes = modes;
    this.configOptions = configOptions ?? [];
    this.client = client;
    this.#onGrowth = onGrowth;
    this.#ended = strict ? new EndedCalls() : undefined;
  }

  get running(): boolean {
    return this.turn !== undefined;
  }

  get cwd(): string {
    return this.#setup.cwd;
  }

  get additionalDirectories(): readonly string[] {
    const folders = this.#setup["additionalDirectories"];
    return Array.isArray(folders) ? folders.filter((folder) => typeof folder === "string") : [];
  }

  get mcpServers(): readonly McpServer[] {
    return this.#setup.mcpServers;
  }

  get meta(): Meta | undefined {
    return this.#setup._meta;
  }

  get modeId(): string | undefined {
    return this.modes?.currentModeId;
  }

  update(update: SessionUpdate): void | Promise<void> {
    this.#ended?.note(update);
    if (update.sessionUpdate === "config_option_update") this.configOptions = update.configOptions;
    this.record(update);
    if (this.#held !== undefined) this.#held.push(update);
    else return this.client.update(this.id, update);
  }

  /** Keeps an update for `replay`. */
  record(update: SessionUpdate): void {
    if (notReplayed.includes(update.sessionUpdate)) return;
    const before = this.#history.chars;
    this.#history.add(update);
    this.#onGrowth(this, this.#history.chars - before);
  }

  /** Replaces the history, when the agent loads it from a store of its own. */
  restore(history: readonly SessionUpdate[]): void {
    this.#history.replace(history);
    this.#onGrowth(this, this.#history.chars);
  }

  dropHistory(): void {
    this.#history.replace([]);
  }

  /** The characters of the history, approximately. */
  get historyChars(): number {
    return this.#history.chars;
  }

  /** Gives the session to another client, which asks for it with `session/load`. */
  adopt(setup: SessionSetup, client: SessionClient): void {
    this.#setup = setup;
    this.client = client;
  }

  /** Sends the history, in order, as fast as the client takes it. */
  async replay(): Promise<void> {
    for (const update of this.#history.items) if (this.client.shows(update)) await this.client.update(this.id, update);
  }

  /** Holds updates back until the client knows the session: its id is in the result of `session/new`. */
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
