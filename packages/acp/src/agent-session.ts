import type {
  AcpProfile,
  ClientCapabilities,
  CreateElicitationResult,
  McpServer,
  Meta,
  PermissionOption,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
  ToolCallUpdate,
} from "@editwire/acp-schema";
import { isWireError, WireError } from "@editwire/core";
import { type Evictable, History, type SessionLog } from "@editwire/session";
import type { AcpAgentClient, ElicitationQuestion } from "./agent-client-services.js";
import { absoluteCall, absoluteUpdate } from "./absolute-paths.js";
import { isKept, Outbox } from "./agent-outbox.js";
import type { WaitingPrompt } from "./agent-prompts.js";
import type { AcpPermissionDecision, SessionClient } from "./agent-session-client.js";
import { sessionServices } from "./agent-session-services.js";
import { restoredSettings, type SavedSettings, settingsOf } from "./agent-settings.js";
import { StrictUpdates } from "./agent-strict-updates.js";
import type { AgentTurn } from "./agent-turn.js";

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
  /**
   * Sent once, with the next answer that opens, loads or resumes the session: set it in `newSession` or
   * `restoreSession`.
   */
  answerMeta: Meta | undefined;
  /** The id of the current mode; absent when the agent has no modes. */
  readonly modeId: string | undefined;
  /** The settings that the user can change, with their values. */
  readonly configOptions: readonly SessionConfigOption[];
  /** What the user knows the session by; see `setTitle`. */
  readonly title: string | undefined;
  /** False when the connection of the session's client is closed, until another client loads the session. */
  readonly connected: boolean;
  /** What the session's client declared. */
  readonly clientCapabilities: ClientCapabilities;
  /**
   * What the session's client offers, for work outside of turns. Its terminals are released when the session ends. In
   * `newSession`, do not await it: until that returns, the client does not know the session.
   */
  readonly client: AcpAgentClient;
  /** Says whether the client takes an update: its dialect has it, and the client declared what it takes. */
  shows(update: SessionUpdate): boolean;
  /** Whatever the agent wants to keep with the session, as long as this process holds it. */
  readonly state: Map<string, unknown>;
  /** Aborts when the session is over here: it is closed, deleted or forgotten, or the agent is not served any more. */
  readonly signal: AbortSignal;
  /**
   * Sends an update outside of a turn. Returns a promise when the client is slow, and when the session is stored: the
   * client gets nothing that the store does not have.
   */
  update(update: SessionUpdate): void | Promise<void>;
  /**
   * Asks the user outside of a turn, as `turn.requestPermission` does. Rejects with `WireError("aborted")` when the
   * signal aborts, and with `closed` without a client. `_meta` is sent with the request.
   */
  requestPermission(
    toolCall: ToolCallUpdate,
    options: readonly PermissionOption[],
    signal: AbortSignal,
    _meta?: Meta,
  ): Promise<AcpPermissionDecision>;
  /** As `client.elicit`, until `signal` aborts. */
  elicit(question: ElicitationQuestion, signal: AbortSignal): Promise<CreateElicitationResult>;
  /**
   * Tells the client that the user is done with a page that `elicit` asked to open. Throws
   * `WireError("invalid_params")` if the client did not declare `elicitation.url`.
   */
  completeElicitation(elicitationId: string): void | Promise<void>;
  /** Gives the session a title, which the client gets as a `session_info_update`; in the official dialect. */
  setTitle(title: string): void | Promise<void>;
  /**
   * What was said in the session, with the user's messages: from the store, or else what this process remembers of it.
   * Rejects when the store fails.
   */
  history(): Promise<readonly SessionUpdate[]>;
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
  /** Whether what a strict client refuses is not sent. */
  readonly strict: boolean;
  readonly profile: () => AcpProfile;
  /** Called with the characters that the history has more now. */
  readonly onGrowth: (session: AgentSession, chars: number) => void;
  /** Called when the session's log fails: the client must load the session again. */
  readonly onLost: (session: AgentSession, error: unknown) => void;
}

/** How a client gets a session. */
interface Adoption {
  readonly replays: boolean;
  /** What was said. Default: what was kept. */
  readonly history?: readonly SessionUpdate[] | undefined;
  /** Called with the error of an update that cannot be sent. */
  readonly onUnfit: (error: Error) => void;
}

/** An `AcpAgentSession` with the part that the connection uses. */
export class AgentSession implements AcpAgentSession, Evictable {
  readonly id: string;
  readonly caller: string | undefined;
  readonly state = new Map<string, unknown>();
  /** The running turn. */
  turn: AgentTurn | undefined;
  /** Resolves when the running turn is over. */
  turnOver: Promise<void> | undefined;
  /** The prompts that came while the turn runs. */
  readonly waiting: WaitingPrompt[] = [];
  /** A client has deleted it, perhaps while another one loads it. */
  isDeleted = false;
  /** The client to send to. */
  owner: SessionClient;
  modes: SessionModeState | undefined;
  configOptions: readonly SessionConfigOption[];
  title: string | undefined;
  answerMeta: Meta | undefined;
  /** What opened or last loaded the session. */
  setup: SessionSetup;
  #held: SessionUpdate[] | undefined;
  /** Settled when nothing is held back anymore. */
  #known: Promise<void> | undefined;
  #becomeKnown = (): void => {};
  readonly #history = new History<SessionUpdate>();
  readonly #onGrowth: SessionParts["onGrowth"];
  readonly #onLost: SessionParts["onLost"];
  readonly #records: boolean;
  /** In strict mode. */
  readonly #strict: StrictUpdates | undefined;
  /** Of a stored session. */
  #outbox: Outbox | undefined;
  #storedCwd: string | undefined;
  readonly #over = new AbortController();

  constructor(id: string, setup: SessionSetup, parts: SessionParts) {
    const { modes, configOptions, client, records, strict, profile, onGrowth, onLost } = parts;
    this.id = id;
    this.caller = client.caller;
    this.setup = setup;
    this.modes = modes;
    this.configOptions = configOptions ?? [];
    this.owner = client;
    this.#onGrowth = onGrowth;
    this.#onLost = onLost;
    this.#records = records;
    this.#strict = strict ? new StrictUpdates(profile) : undefined;
  }

  get running(): boolean {
    return this.turn !== undefined || this.waiting.length > 0;
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Ends what belongs to the session in this process. */
  forgotten(): void {
    this.#over.abort(new WireError("closed", `the session ${this.id} has ended`));
  }

  get cwd(): string {
    return this.setup.cwd;
  }

  get additionalDirectories(): readonly string[] {
    const folders = this.setup["additionalDirectories"];
    return Array.isArray(folders) ? folders.filter((folder) => typeof folder === "string") : [];
  }

  get mcpServers(): readonly McpServer[] {
    return this.setup.mcpServers;
  }

  get meta(): Meta | undefined {
    return this.setup._meta;
  }

  get connected(): boolean {
    return !this.owner.gone;
  }

  get client(): AcpAgentClient {
    return sessionServices(this);
  }

  get clientCapabilities(): ClientCapabilities {
    return this.owner.capabilities;
  }

  shows(update: SessionUpdate): boolean {
    return this.owner.shows(update);
  }

  /** Resolves when the client has what was sent before, and the session itself. */
  async ready(): Promise<void> {
    await this.#known;
    await this.settled();
  }

  async requestPermission(
    toolCall: ToolCallUpdate,
    options: readonly PermissionOption[],
    signal: AbortSignal,
    _meta?: Meta,
  ): Promise<AcpPermissionDecision> {
    await this.ready();
    const asked = { sessionId: this.id, toolCall: absoluteCall(toolCall, this.cwd), options, _meta };
    return this.owner.askPermission(asked, signal);
  }

  elicit(question: ElicitationQuestion, signal: AbortSignal): Promise<CreateElicitationResult> {
    return this.client.elicit(question, { signal });
  }

  completeElicitation(elicitationId: string): void | Promise<void> {
    this.owner.demands.check("elicitation/complete", "elicitation.url");
    return this.owner.connection().notify("elicitation/complete", { elicitationId });
  }

  get modeId(): string | undefined {
    return this.modes?.currentModeId;
  }

  update(given: SessionUpdate): void | Promise<void> {
    const update = absoluteUpdate(given, this.cwd);
    this.#strict?.note(update);
    if (update.sessionUpdate === "config_option_update") this.configOptions = update.configOptions;
    if (update.sessionUpdate === "session_info_update" && update.title !== undefined)
      this.title = update.title ?? undefined;
    if (update.sessionUpdate === "current_mode_update" && this.modes !== undefined)
      this.modes = { ...this.modes, currentModeId: update.currentModeId };
    if (this.#outbox === undefined) this.record(update);
    if (this.#held === undefined) return this.#send(update);
    this.#held.push(update);
  }

  setTitle(title: string): void | Promise<void> {
    return this.update({ sessionUpdate: "session_info_update", title });
  }

  #send(update: SessionUpdate): void | Promise<void> {
    if (this.#outbox === undefined) return this.owner.update(this.id, update);
    const sent = this.#outbox.add(update);
    if (update.sessionUpdate === "session_info_update") this.#save({ title: this.title });
    if (!isKept(update)) this.saveSettings();
    return sent;
  }

  /** Keeps an update for `replay`. */
  record(update: SessionUpdate): void {
    if (this.#outbox !== undefined) return void this.#outbox.add(update, { isShown: false });
    if (!this.#records || !isKept(update)) return;
    const before = this.#history.chars;
    this.#history.add(update);
    this.#onGrowth(this, this.#history.chars - before);
  }

  async history(): Promise<readonly SessionUpdate[]> {
    return this.#outbox === undefined ? this.#history.items : this.#outbox.use((log) => log.entries());
  }

  /** Keeps everything in the log from now on. */
  store(log: SessionLog<SessionUpdate>): void {
    this.dropHistory();
    this.title = log.record.title;
    this.#storedCwd = log.record.cwd;
    this.#outbox = new Outbox({
      log,
      deliver: (update) => this.owner.update(this.id, update),
      onFailure: (error) => this.#onLost(this, error),
    });
  }

  /** Takes the mode and the values that were saved, as far as the agent still offers them. */
  restoreSettings(saved: SavedSettings | undefined): void {
    ({ modes: this.modes, configOptions: this.configOptions } = restoredSettings(this, saved));
  }

  /** Saves the mode and the values of the settings. */
  saveSettings(): void {
    this.#save({ data: settingsOf(this) });
  }

  #save(fields: Parameters<SessionLog<SessionUpdate>["change"]>[0]): void {
    this.#outbox?.use((log) => log.change(fields)).catch(() => {}); // `settled` rejects with it
  }

  /** Resolves when the client has what was sent, and the store too; at once for a session that is not stored. */
  settled(): Promise<void> | undefined {
    return this.#outbox?.settled();
  }

  /** As `settled`, at the end of a turn: it survives a power failure, if the store can do that. */
  async flush(): Promise<void> {
    if (this.#outbox === undefined) return;
    this.#outbox.use((log) => log.flush()).catch(() => {});
    await this.#outbox.settled();
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

  /** Takes what a client asks for, before the session is its. */
  prepare(setup: SessionSetup, client: SessionClient): void {
    this.setup = setup;
    if (this.#outbox === undefined) this.owner = client;
  }

  /** Gives the session to another client, which asks for it with `session/load`, and sends it what was said. */
  async adopt(setup: SessionSetup, client: SessionClient, { replays, history, onUnfit }: Adoption): Promise<void> {
    const outbox = this.#outbox;
    this.prepare(setup, client);
    if (outbox === undefined) return replays ? this.#replay(history ?? this.#history.items, onUnfit) : undefined;
    if (setup.cwd !== this.#storedCwd) this.#save({ cwd: setup.cwd });
    this.#storedCwd = setup.cwd;
    // What a running turn sends meanwhile waits: so the client gets each update once, and in order.
    await outbox.run(async () => {
      const said = replays ? (history ?? (await outbox.entries())) : [];
      this.owner = client;
      await this.#replay(said, onUnfit);
    });
  }

  async #replay(history: readonly SessionUpdate[], onUnfit: (error: Error) => void): Promise<void> {
    for (const update of history) {
      try {
        if (this.owner.shows(update)) await this.owner.update(this.id, update);
      } catch (error) {
        if (!isWireError(error, "invalid_params")) throw error;
        onUnfit(error);
      }
    }
  }

  /** Holds updates back until the client knows the session: its id is in the result of `session/new`. */
  hold(): void {
    this.#held ??= [];
    this.#known ??= new Promise((resolve) => (this.#becomeKnown = resolve));
  }

  /** Sends what was held. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#known = undefined;
    this.#becomeKnown();
    for (const update of held) if (this.#outbox !== undefined || !this.owner.gone) void this.#send(update);
  }
}
