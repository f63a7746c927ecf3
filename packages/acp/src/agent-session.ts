import type {
  Acp,
  ClientCapabilities,
  CreateElicitationResult,
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
import type { ElicitationQuestion } from "./agent-client-services.js";
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
  /** False when the connection of the session's client is closed, until another client loads the session. */
  readonly connected: boolean;
  /** What the session's client declared. */
  readonly clientCapabilities: ClientCapabilities;
  /** Sends an update outside of a turn. Returns a promise only when the client is slow. */
  update(update: SessionUpdate): void | Promise<void>;
  /**
   * Asks the user outside of a turn, as `turn.requestPermission` does. Rejects with `WireError("aborted")` when the
   * signal aborts, and with `closed` without a client.
   */
  requestPermission(
    toolCall: ToolCallUpdate,
    options: readonly PermissionOption[],
    signal: AbortSignal,
  ): Promise<PermissionDecision>;
  /** Asks the user to fill in a form or to open a page, as `turn.client.elicit` does; rejects as above. */
  elicit(question: ElicitationQuestion, signal: AbortSignal): Promise<CreateElicitationResult>;
}

/** What opens or loads a session. */
export interface SessionSetup {
  readonly cwd: string;
  readonly mcpServers: readonly McpServer[];
  readonly [key: string]: unknown;
  readonly _meta?: Meta | undefined;
}

/** What a session needs besides its setup. */
export interface SessionParts {
  readonly modes: SessionModeState | undefined;
  readonly configOptions: readonly SessionConfigOption[] | undefined;
  readonly client: SessionClient;
  /** Whether the history is kept here. */
  readonly records: boolean;
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
  readonly #records: boolean;
  /** In strict mode. */
  readonly #ended: EndedCalls | undefined;

  constructor(id: string, setup: SessionSetup, parts: SessionParts) {
    const { modes, configOptions, client, records, strict, onGrowth } = parts;
    this.id = id;
    this.caller = client.caller;
    this.#setup = setup;
    this.modes = modes;
    this.configOptions = configOptions ?? [];
    this.client = client;
    this.#onGrowth = onGrowth;
    this.#records = records;
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

  get connected(): boolean {
    return !this.client.gone;
  }

  get clientCapabilities(): ClientCapabilities {
    return this.client.capabilities;
  }

  async requestPermission(
    toolCall: ToolCallUpdate,
    options: readonly PermissionOption[],
    signal: AbortSignal,
  ): Promise<PermissionDecision> {
    return this.client.askPermission(this.id, toolCall, options, signal);
  }

  async elicit(question: ElicitationQuestion, signal: AbortSignal): Promise<CreateElicitationResult> {
    this.client.demands.check("elicitation/create", `elicitation.${question.mode}`);
    return this.client.request("elicitation/create", { ...question, sessionId: this.id }, { signal });
  }

  get modeId(): string | undefined {
    return this.modes?.currentModeId;
  }

  update(update: SessionUpdate): void | Promise<void> {
    this.#ended?.note(update);
    if (update.sessionUpdate === "config_option_update") this.configOptions = update.configOptions;
    if (update.sessionUpdate === "current_mode_update" && this.modes !== undefined)
      this.modes = { ...this.modes, currentModeId: update.currentModeId };
    this.record(update);
    if (this.#held !== undefined) this.#held.push(update);
    else return this.client.update(this.id, update);
  }

  /** Keeps an update for `replay`. */
  record(update: SessionUpdate): void {
    if (!this.#records || notReplayed.includes(update.sessionUpdate)) return;
    const before = this.#history.chars;
    this.#history.add(update);
    this.#onGrowth(this, this.#history.chars - before);
  }

  /** Replaces the history, when the agent loads it from a store of its own. */
  restore(history: readonly SessionUpdate[]): void {
    if (!this.#records) return;
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
  async replay(history: readonly SessionUpdate[] = this.#history.items): Promise<void> {
    for (const update of history) if (this.client.shows(update)) await this.client.update(this.id, update);
  }

  /** Holds updates back until the client knows the session: its id is in the result of `session/new`. */
  hold(): void {
    this.#held ??= [];
  }

  /** Sends what was held. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const update of held) if (!this.client.gone) void this.client.update(this.id, update);
  }
}
