import {
  type AcpModelState,
  type AvailableCommand,
  choiceIn,
  type ContentBlock,
  type McpServer,
  type Meta,
  modelsIn,
  modesIn,
  type SessionConfigOption,
  type SessionModeState,
  withConfigValue,
  withMode,
} from "@editwire/acp";
import { RemoteError } from "@editwire/core";
import { onAbort } from "@editwire/core/aborts";
import { startHoldingTimer, startTimer } from "@editwire/core/timers";
import { beginning, checkOptions, type Listeners, type OptionKinds, shown, type WithHistory } from "@editwire/session";
import type { AgentDefinition } from "../api/definition.js";
import type { AgentEvent, AgentStopReason, AgentUsage } from "../api/events.js";
import { RunningTurn } from "./turn.js";
import type {
  AgentSession,
  AgentTurn,
  PromptSessionOptions,
  AgentSessionOffer,
  SessionStart,
  SessionView,
  TurnEnd,
} from "../api/session.js";
import { SessionCosts } from "./costs.js";
import { SessionRecord } from "./record.js";
import { signedIn } from "../shared/sign-in.js";
import { type PromptedTurn, SessionViews } from "./views.js";
import { blocksOf, textOf } from "../shared/prompt.js";

/** Prompts that may wait for the running turn. */
const maxQueued = 100;

/** Milliseconds until events are kept, where sessions are stored. */
const keepMs = 50;

/** Characters of a title that is made of the first prompt. */
const maxTitle = 80;

const promptKinds: OptionKinds<PromptSessionOptions> = {
  view: "object",
  signal: "object",
  meta: "object",
  editor: "object",
  whenBusy: ["reject", "queue", "steer"],
  onStart: "function",
};

export interface HubSessionParts extends Listeners {
  readonly definition: AgentDefinition;
  readonly onGrowth: (session: HubSession, chars: number) => void;
  /** Called when nobody views the session and no turn runs. */
  readonly onReleased: (session: HubSession) => void;
  /**
   * Called with events: the prompt and its additions at once, the rest soon. A tool call is given again in
   * its later states. Absent: nothing is kept.
   */
  readonly onSaid:
    | ((session: HubSession, events: readonly AgentEvent[], isEnd: boolean) => void | Promise<void>)
    | undefined;
}

/** An `AgentSession` with the part that its agent and its turns use. */
export class HubSession implements AgentSession, WithHistory {
  readonly id: string;
  readonly caller: string | undefined;
  readonly views: SessionViews;
  readonly state = new Map<string, unknown>();
  readonly createdAt = Date.now();
  updatedAt = this.createdAt;
  title: string | undefined;
  modes: SessionModeState | undefined;
  configOptions: readonly SessionConfigOption[];
  commands: readonly AvailableCommand[];
  usage: AgentUsage | undefined;
  turn: RunningTurn | undefined;
  readonly #parts: HubSessionParts;
  readonly #costs = new SessionCosts();
  readonly #record: SessionRecord;
  #start: SessionStart;
  /** True from a prompt's admission to its turn's end. */
  #busy = false;
  #isDeleted = false;
  #over: Promise<TurnEnd> = Promise.resolve({ stopReason: "end_turn" });
  #queue: ((run: boolean) => void)[] = [];
  #stopKeeping: (() => void) | undefined;

  constructor(id: string, start: SessionStart, offer: AgentSessionOffer, parts: HubSessionParts) {
    const { definition } = parts;
    this.id = id;
    this.caller = start.caller;
    this.#start = start;
    this.#parts = parts;
    this.title = offer.title;
    this.configOptions = offer.configOptions ?? definition.configOptions ?? [];
    this.modes = modesIn(this.configOptions) ?? offer.modes ?? definition.modes;
    this.commands = offer.commands ?? definition.commands ?? [];
    this.#record = new SessionRecord(definition.history ?? {}, { isStored: parts.onSaid !== undefined });
    this.views = new SessionViews(id, parts, () => this.#released());
  }

  get cwd(): string {
    return this.#start.cwd;
  }

  get roots(): readonly string[] {
    return this.#start.roots ?? [];
  }

  get mcpServers(): readonly McpServer[] {
    return this.#start.mcpServers ?? [];
  }

  get meta(): Meta | undefined {
    return this.#start.meta;
  }

  get modeId(): string | undefined {
    return this.modes?.currentModeId;
  }

  get models(): AcpModelState | undefined {
    return modelsIn(this.configOptions);
  }

  get events(): readonly AgentEvent[] {
    return this.#record.events;
  }

  get listedTitle(): string | undefined {
    if (this.title !== undefined) return this.title;
    const first = this.events.find((event) => event.type === "user");
    const [line = ""] = first === undefined ? [] : textOf(first.content).trim().split("\n", 1);
    return line === "" ? undefined : beginning(line, maxTitle);
  }

  /** True while it must not be forgotten. */
  get running(): boolean {
    return this.#busy || this.views.size > 0;
  }

  get historyChars(): number {
    return this.#record.chars;
  }

  hasEnded(toolCallId: string): boolean {
    return this.#record.hasEnded(toolCallId);
  }

  dropHistory(): void {
    this.title = this.listedTitle;
    this.#record.replace([]);
  }

  /** Takes the folders and servers of an editor that loads the session again. */
  restart(start: SessionStart): void {
    this.#start = start;
  }

  /** Replaces the events. The last usage among them is that of the session, to whose costs later ones are added. */
  restore(events: readonly AgentEvent[]): void {
    this.#record.replace(events);
    for (const event of events) if (event.type === "usage") this.usage = this.#costs.complete(event.usage);
    this.#parts.onGrowth(this, this.#record.chars);
  }

  attach(view: SessionView): () => void {
    return this.views.add(view);
  }

  async prompt(prompt: string | readonly ContentBlock[], options: PromptSessionOptions = {}): Promise<TurnEnd> {
    checkOptions("session.prompt", options, promptKinds);
    const { view, signal, whenBusy = this.#parts.definition.whenBusy ?? "reject" } = options;
    const content = blocksOf(prompt);
    if (this.#isDeleted)
      throw RemoteError.invalidRequest("the session was deleted; open another", { sessionId: this.id });
    if (view !== undefined) this.attach(view);
    // A cancelled turn is over for its editor, which may not know that the handler has not returned yet.
    const isEnding = (this.turn === undefined || this.turn.cancelled) && this.#queue.length === 0;
    if (this.#busy && !isEnding && whenBusy === "steer" && this.steer(prompt, options.meta)) return this.#over;
    if (this.#busy && !isEnding && whenBusy === "reject")
      throw RemoteError.invalidRequest("prompt already running", { sessionId: this.id });
    if (this.#busy && !(await this.#waitInQueue(signal))) return { stopReason: "cancelled" };
    this.#busy = true;
    return (this.#over = this.#run(content, options));
  }

  steer(message: string | readonly ContentBlock[], meta?: Meta): boolean {
    if (this.turn === undefined) return false;
    void this.turn.steer(blocksOf(message), meta);
    return true;
  }

  cancel(): void {
    const waiting = this.#queue;
    this.#queue = [];
    for (const proceed of waiting) proceed(false);
    this.turn?.cancel();
  }

  /** As `stopped`; the session takes no prompt any more. */
  async deleted(): Promise<void> {
    this.#isDeleted = true;
    await this.stopped();
    this.#stopKeeping?.();
  }

  /** Cancels the running turn, and resolves when it is over. */
  async stopped(): Promise<void> {
    this.cancel();
    if (this.#busy) await this.#over;
  }

  async setMode(modeId: string): Promise<void> {
    if (this.modes?.availableModes.some(({ id }) => id === modeId) !== true)
      throw RemoteError.invalidParams("unsupported mode", { modeId });
    const option = choiceIn(this.configOptions, "mode");
    if (option !== undefined) return this.setConfigOption(option.id, modeId);
    await this.#parts.definition.setMode?.(this, modeId);
    if (this.modeId !== modeId) await this.send({ type: "mode", modeId });
  }

  async setModel(modelId: string): Promise<void> {
    const option = choiceIn(this.configOptions, "model");
    if (option === undefined) throw RemoteError.invalidParams("unsupported model", { modelId });
    await this.setConfigOption(option.id, modelId);
  }

  async setConfigOption(configId: string, value: string | boolean): Promise<void> {
    const changed = withConfigValue(this.configOptions, configId, value);
    const configOptions = (await this.#parts.definition.setConfigOption?.(this, configId, value)) ?? changed;
    await this.send({ type: "config_options", configOptions });
  }

  setTitle(title: string): void | Promise<void> {
    if (typeof title !== "string") throw new TypeError(`session.setTitle: expected a string, received ${shown(title)}`);
    return this.send({ type: "info", title });
  }

  send(event: AgentEvent): void | Promise<void> {
    return this.emit(event, this.turn);
  }

  /** Adds an event to the session, and gives it to every view. */
  emit(said: AgentEvent, turn: PromptedTurn | undefined): void | Promise<void> {
    const event = said.type === "usage" ? { ...said, usage: this.#costs.complete(said.usage) } : said;
    this.#apply(event);
    this.updatedAt = Date.now();
    const before = this.#record.chars;
    this.#record.add(event);
    this.#keepSoon();
    this.#parts.onGrowth(this, this.#record.chars - before);
    const sent = this.views.send(event, turn);
    const change = this.#followingChange(event);
    const alsoSent = change && this.emit(change, turn);
    return sent && alsoSent ? Promise.all([sent, alsoSent]).then(() => {}) : (sent ?? alsoSent);
  }

  /** Keeps the events so far, where sessions are stored. */
  keep(isEnd = false): void | Promise<void> {
    this.#stopKeeping?.();
    this.#stopKeeping = undefined;
    return this.#parts.onSaid?.(this, this.#record.takeNew(), isEnd);
  }

  diagnose(id: string, message: string): void {
    this.#parts.onDiagnostic({ id, method: undefined, message: `${message} (session ${this.id})` });
  }

  report(error: unknown, where: string): void {
    this.#parts.onError(error, where);
  }

  #keepSoon(): void {
    if (this.#parts.onSaid === undefined || this.#isDeleted) return;
    this.#stopKeeping ??= startTimer(keepMs, () => void this.keep());
  }

  /** Waits for its turn. Returns false when it was cancelled before. */
  async #waitInQueue(signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#queue.length >= maxQueued)
      throw RemoteError.invalidRequest(`${maxQueued} prompts wait already`, { sessionId: this.id });
    return new Promise((resolve) => {
      this.#queue.push(resolve);
      const leave = (): void => {
        if (this.#queue.includes(resolve)) this.#queue = this.#queue.filter((other) => other !== resolve);
        resolve(false);
      };
      if (signal?.aborted === true) leave();
      else if (signal !== undefined) onAbort(signal, leave);
    });
  }

  async #run(
    content: readonly ContentBlock[],
    { view, signal, meta, editor, onStart }: PromptSessionOptions,
  ): Promise<TurnEnd> {
    const { definition, onError } = this.#parts;
    const turn = new RunningTurn(this, { content, meta, promptedBy: view, editor });
    this.turn = turn;
    const cancel = (): void => turn.cancel();
    if (signal?.aborted === true) cancel();
    const stopWatching = signal && onAbort(signal, cancel);
    onStart?.(turn);
    await this.emit({ type: "user", content }, turn);
    await this.keep();
    const end = await turn.run({
      handler: (running) => this.#answered(running, view),
      cancelGraceMs: definition.cancelGraceMs ?? 2_000,
      onError: (error) => onError(error, "prompt"),
    });
    stopWatching?.();
    this.turn = undefined;
    // A view that gets the end may prompt at once.
    this.#busy = this.#queue.length > 0;
    const stopped = this.emit({ type: "stop", ...end }, turn);
    const isOver = end.stopReason === "cancelled" || turn.untaken.content.length === 0;
    await this.keep(true);
    await stopped;
    await this.views.drained();
    // The answer to this prompt leaves first, in the jobs of this tick.
    startHoldingTimer(0, () => {
      if (!isOver) this.#promptLater(turn.untaken);
      this.#proceed();
    });
    return end;
  }

  /** Starts the next turn, unless a view that got the end has started one. */
  #proceed(): void {
    if (this.turn !== undefined) return;
    const next = this.#queue.shift();
    if (next !== undefined) return next(true);
    this.#busy = false;
    this.#released();
  }

  /** Runs the agent's handler, and runs it again when the user had to sign in first and did. */
  async #answered(turn: AgentTurn, view: SessionView | undefined): Promise<AgentStopReason | void> {
    const { definition } = this.#parts;
    const choose = view?.signIn?.bind(view);
    if (choose === undefined || definition.authenticate === undefined) return definition.prompt(turn);
    return signedIn(definition, async () => definition.prompt(turn), choose);
  }

  #released(): void {
    if (!this.running) this.#parts.onReleased(this);
  }

  /** Prompts what the user added to a turn that has ended without it. */
  #promptLater({ content, meta }: RunningTurn["untaken"]): void {
    this.prompt(content, { meta, whenBusy: "queue" }).catch((error: unknown) => this.#parts.onError(error, "prompt"));
  }

  /** The mode may be a setting, too: what changes one of them changes the other. */
  #followingChange({ type }: AgentEvent): AgentEvent | undefined {
    const { modes, configOptions } = this;
    if (type === "mode") {
      const changed = withMode(configOptions, String(modes?.currentModeId));
      return changed === configOptions ? undefined : { type: "config_options", configOptions: changed };
    }
    const now = type === "config_options" ? modesIn(configOptions) : undefined;
    if (now === undefined || JSON.stringify(now) === JSON.stringify(modes)) return undefined;
    if (JSON.stringify(now.availableModes) !== JSON.stringify(modes?.availableModes))
      return { type: "modes", modes: now };
    return { type: "mode", modeId: now.currentModeId };
  }

  #apply(event: AgentEvent): void {
    if (event.type === "mode") this.modes = this.modes && { ...this.modes, currentModeId: event.modeId };
    else if (event.type === "modes") this.modes = event.modes;
    else if (event.type === "config_options") this.configOptions = event.configOptions;
    else if (event.type === "commands") this.commands = event.commands;
    else if (event.type === "info") this.title = event.title;
    else if (event.type === "usage") this.usage = event.usage;
  }
}
