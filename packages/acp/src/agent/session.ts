import type {
  AcpParams,
  AcpProfile,
  AcpResult,
  ClientCapabilities,
  ContentBlock,
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
import type { AcpAgentClient, AcpElicitationQuestion } from "./client-services.js";
import { absoluteCall, absoluteUpdate } from "./absolute-paths.js";
import { isKept, Outbox } from "./outbox.js";
import type { AcpPermissionDecision, SessionClient } from "./session-client.js";
import { sessionServices } from "./session-services.js";
import { restoredSettings, type SavedSettings, settingsOf } from "./settings.js";
import { StrictUpdates } from "./strict-updates.js";
import type { AcpAgentSession } from "./session-api.js";

/** The params that open or load a session. */
export interface SessionSetup {
  readonly cwd: string;
  readonly mcpServers: readonly McpServer[];
  readonly [key: string]: unknown;
  readonly _meta?: Meta | undefined;
}

/** The parts of a session besides its setup. */
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
  /** Earlier updates. Default: the kept ones. */
  readonly history?: readonly SessionUpdate[] | undefined;
  /** Called with the error of an update that cannot be sent. */
  readonly onUnfit: (error: Error) => void;
}

/** A prompt that came while a turn runs, and is not answered yet. */
export interface WaitingPrompt {
  readonly params: AcpParams<"session/prompt">;
  /** Starts its own turn. */
  start(): void;
  resolve(result: AcpResult<"session/prompt">): void;
  reject(error: unknown): void;
}

/** The operations on a session's running turn that others than the turn itself use. */
interface RunningTurn {
  cancel(): void;
  /** Called when another prompt has begun to wait. */
  readonly steered: () => void;
}

/** An `AcpAgentSession` with the part that the connection uses. */
export class AgentSession implements AcpAgentSession, Evictable {
  readonly id: string;
  readonly caller: string | undefined;
  readonly state = new Map<string, unknown>();
  /** The running turn. */
  turn: RunningTurn | undefined;
  /** Resolves when the running turn is over. */
  turnOver: Promise<void> | undefined;
  /** The prompts that an agent with turns of its own has not answered yet. */
  readonly asked = new Map<{ cancel(): void }, Promise<unknown>>();
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
  /** The params that opened or last loaded the session. */
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
    return this.turn !== undefined || this.waiting.length > 0 || this.asked.size > 0;
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

  elicit(question: AcpElicitationQuestion, signal: AbortSignal): Promise<AcpResult<"elicitation/create">> {
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

  /** Takes a prompt into the conversation: its blocks are one message. */
  recordPrompt(prompt: readonly ContentBlock[]): void {
    const messageId = crypto.randomUUID();
    this.owner.inserted(this.id, prompt, messageId);
    for (const content of prompt) this.record({ sessionUpdate: "user_message_chunk", content, messageId });
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

  /** Gives the session to another client, which asks for it with `session/load`, and replays its messages. */
  async adopt(setup: SessionSetup, client: SessionClient, { replays, history, onUnfit }: Adoption): Promise<void> {
    const outbox = this.#outbox;
    this.prepare(setup, client);
    if (outbox === undefined) return replays ? this.#replay(history ?? this.#history.items, onUnfit) : undefined;
    if (setup.cwd !== this.#storedCwd) this.#save({ cwd: setup.cwd });
    this.#storedCwd = setup.cwd;
    // Updates of a running turn wait meanwhile: so the client gets each update once, and in order.
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
