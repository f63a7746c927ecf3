import type { ChatCommand, ChatConfig, ChatContext, ChatHistoryMeta, EcaParams, EcaResult } from "@editwire/eca-schema";
import { type CallOptions, isWireError, WireError } from "@editwire/core";
import { AskingSession, type AskOptions, failedToAnswer, LatestMap, Questions } from "@editwire/session";
import { refuse } from "./asks.js";
import { type ChoiceKind, choiceOf, type ChoiceOwner } from "./choices.js";
import type { EcaChoice, EcaPromptOptions, EcaSession, EcaHistoryPage, EcaHistoryWindow } from "./session-api.js";
import { readEvent, type EcaStopReason, type EcaUpdateEvent } from "./events.js";
import type { ClientLink } from "./link.js";
import { allows, checkedAnswer, type EcaPermissionAnswer } from "./permission.js";
import { ClientState, emptySession, type EcaSessionAction, type EcaSessionState, waitingToolCalls } from "./state.js";
import type { EcaToolCallState } from "./tool-call.js";
import { ClientTurn, type EcaTurn } from "./turn.js";
import { PastCursor } from "./past-cursor.js";

/** Ended turns whose late content is recognized. */
const maxOver = 100;

/** Answers to a prompt that a turn follows. */
const runs = ["success", "prompting"];

/** The answer to a question that nobody needs anymore; nothing is sent then. */
type Decision = EcaPermissionAnswer | "void";

/** The parts of a connection that a session uses. */
export interface SessionConnection extends ClientLink {
  /** Sends a prompt, and gives the session what is received for it, however early. */
  prompt(
    session: ClientSession,
    params: EcaParams<"chat/prompt">,
    options: Pick<CallOptions, "signal" | "onReply">,
  ): Promise<EcaResult<"chat/prompt">>;
  /**
   * Runs what makes the server open a new session, and returns that session. Throws `WireError("invalid_result")` when
   * there is none.
   */
  opened(method: string, action: () => Promise<unknown>): Promise<ClientSession>;
  /** The choices that the user made for all sessions. */
  readonly chosen: Set<ChoiceKind>;
}

/** An `EcaSession` with the part that the connection uses. */
export class ClientSession
  extends AskingSession<EcaSessionState, EcaUpdateEvent, EcaStopReason, ClientTurn>
  implements EcaSession, ChoiceOwner
{
  id: string | undefined;
  parent: ClientSession | undefined;
  readonly models: EcaChoice;
  readonly agents: EcaChoice;
  readonly #link: SessionConnection;
  readonly #state: ClientState;
  readonly #questions: Questions<EcaToolCallState, Decision>;
  /** The choices that the user made for this session. */
  readonly #chosen = new Set<ChoiceKind>();
  readonly #earlier = new PastCursor();
  /** True when a turn has ended before this one. */
  #hadTurn = false;
  /** The ids of the prompts whose turns have ended, and whether late content of them was reported. */
  readonly #over = new LatestMap<string, boolean>(maxOver);
  /** True while the server sends the past again, whose questions are decided. */
  #replaying = false;

  constructor(id: string | undefined, contexts: readonly ChatContext[] | undefined, link: SessionConnection) {
    const state = new ClientState(emptySession(contexts), (error) => link.onError(error, undefined));
    super(state, link, (turnOptions) => new ClientTurn(link.newRequestId(), turnOptions));
    this.id = id;
    this.#link = link;
    this.#state = state;
    this.models = choiceOf("model", this, link);
    this.agents = choiceOf("agent", this, link);
    this.#questions = new Questions<EcaToolCallState, Decision>({
      handler: async (toolCall, { signal }) => {
        await this.handed();
        const answer = signal.aborted ? undefined : await link.permission(toolCall, { session: this, signal });
        return answer === undefined ? undefined : checkedAnswer(answer);
      },
      cancelled: "void",
      rejected: "reject_once",
      onError: (error) =>
        link.onError(error, "chat/toolCallApprove", failedToAnswer("permission", "the tool call is rejected")),
    });
  }

  /** The configuration of all sessions, with that of this one. */
  get config(): ChatConfig {
    return { ...this.#link.config, ...this.#state.rest.config };
  }

  onConfig(listener: () => void): () => void {
    const ends = [this.#link.onConfig(listener), this.#state.onConfig(listener)];
    return () => ends.forEach((end) => end());
  }

  select(kind: ChoiceKind, config: ChatConfig): void {
    this.#chosen.add(kind);
    this.update({ type: "configured", config });
  }

  /** Resolves when the reader of the running turn was given what came so far. */
  async handed(): Promise<void> {
    await this.turn?.handed();
  }

  /** The id of the running prompt. */
  get requestId(): string | undefined {
    return this.turn?.requestId;
  }

  /** True from the first prompt on. */
  get wasPrompted(): boolean {
    return this.#hadTurn || this.turn !== undefined;
  }

  get permissions(): readonly EcaToolCallState[] {
    return this.#questions.open;
  }

  /** Signals that abort when the running turn, or one that it is a part of, is cancelled or ends. */
  get signals(): readonly AbortSignal[] {
    return [...(this.turn === undefined ? [] : [this.turn.signal]), ...(this.parent?.signals ?? [])];
  }

  prompt(
    prompt: string,
    { signal, joinTexts, contexts = this.#state.rest.contexts, ...options }: EcaPromptOptions = {},
  ): EcaTurn {
    const turn = this.begin({
      method: "chat/prompt",
      cancelMethod: "chat/promptStop",
      sendCancel: () => this.#sendStop(),
      onEnd: () => this.#ended(turn),
      signal,
      joinTexts,
    });
    this.update({ type: "started" });
    const { requestId } = turn;
    const { model = this.#selected("model"), behavior = this.#selected("agent"), ...rest } = options;
    const asked = {
      ...(model === undefined ? {} : { model }),
      ...(behavior === undefined ? {} : { behavior }),
      ...rest,
    };
    const answer = this.#send(turn, { ...this.#named, requestId, message: prompt, contexts: [...contexts], ...asked });
    answer.catch(() => {}); // an application that does not ask for the answer gets the error elsewhere
    return { ...turn.stream, answer };
  }

  answerPermission(toolCallId: string, answer: EcaPermissionAnswer): boolean {
    return this.#questions.answer(toolCallId, checkedAnswer(answer));
  }

  setContexts(contexts: readonly ChatContext[]): void {
    this.update({ type: "contexts", contexts: [...contexts] });
  }

  async queryContext(query: string, options: AskOptions = {}): Promise<ChatContext[]> {
    const params = { ...this.#named, query, contexts: [...this.#state.rest.contexts] };
    return (await this.#link.ask("chat/queryContext", params, options)).contexts;
  }

  async queryFiles(query: string, options: AskOptions = {}): Promise<ChatContext[]> {
    return (await this.#link.ask("chat/queryFiles", { ...this.#named, query }, options)).files;
  }

  async queryCommands(query: string, options: AskOptions = {}): Promise<ChatCommand[]> {
    return (await this.#link.ask("chat/queryCommands", { ...this.#named, query }, options)).commands;
  }

  async delete(options: AskOptions = {}): Promise<void> {
    if (this.id !== undefined) await this.#link.ask("chat/delete", { chatId: this.id }, options);
    this.deleted();
  }

  async rename(title: string, options: AskOptions = {}): Promise<void> {
    await this.#link.ask("chat/update", { chatId: this.#id("chat/update"), title }, options);
    this.update({ type: "titled", title });
  }

  async trust(always: boolean, options: AskOptions = {}): Promise<void> {
    await this.#link.ask("chat/update", { chatId: this.#id("chat/update"), trust: always }, options);
  }

  async clear(options: AskOptions = {}): Promise<void> {
    if (this.id !== undefined) await this.#link.ask("chat/clear", { chatId: this.id, messages: true }, options);
    this.update({ type: "cleared" });
  }

  async rollback(
    contentId: string,
    { tools = false, ...options }: AskOptions & { tools?: boolean | undefined } = {},
  ): Promise<void> {
    const include = tools ? ["messages", "tools"] : ["messages"];
    const params = { chatId: this.#id("chat/rollback"), contentId, include };
    await this.replay(() => this.#link.ask("chat/rollback", params, options));
  }

  async fork(contentId: string, options: AskOptions = {}): Promise<EcaSession> {
    const params = { chatId: this.#id("chat/fork"), contentId };
    const fork = await this.#link.opened("chat/fork", () => this.#link.ask("chat/fork", params, options));
    fork.setContexts(this.#state.rest.contexts);
    return fork;
  }

  async steer(message: string): Promise<void> {
    if (this.turn === undefined)
      throw new WireError("invalid_params", "chat/promptSteer: the session has no running turn; prompt instead");
    await this.#link.notify("chat/promptSteer", { chatId: this.#id("chat/promptSteer"), message });
  }

  async cancelSteer(): Promise<void> {
    if (this.id !== undefined) await this.#link.notify("chat/promptSteerRemove", { chatId: this.id });
  }

  async addFlag(contentId: string, text: string, options: AskOptions = {}): Promise<void> {
    await this.#link.ask("chat/addFlag", { chatId: this.#id("chat/addFlag"), contentId, text }, options);
  }

  async removeFlag(contentId: string, options: AskOptions = {}): Promise<void> {
    await this.#link.ask("chat/removeFlag", { chatId: this.#id("chat/removeFlag"), contentId }, options);
    this.update({ type: "flag_removed", contentId });
  }

  async history({ signal, timeoutMs, ...part }: EcaHistoryWindow & AskOptions = {}): Promise<EcaHistoryPage> {
    const params = { chatId: this.#id("chat/history"), ...part };
    const { contents = [], meta, error } = await this.#link.ask("chat/history", params, { signal, timeoutMs });
    refuse("chat/history", error);
    return { contents, meta };
  }

  async loadEarlier(options: AskOptions & { limit?: number | undefined } = {}): Promise<boolean> {
    const before = this.#earlier.value;
    if (before === undefined || this.#state.entries.trimmed) return false;
    const { contents, meta } = await this.history({ ...options, before });
    if (this.#earlier.value !== before) return this.#earlier.value !== undefined; // another call was faster
    this.update({ type: "earlier", contents });
    this.#earlier.set(this.#state.entries.trimmed ? undefined : meta?.beforeCursor); // no gap between what is shown
    return this.#earlier.value !== undefined;
  }

  /** The state shows this part of the past. */
  shows(meta: ChatHistoryMeta | undefined): void {
    this.#earlier.restart(meta?.beforeCursor);
  }

  /** Runs what makes the server send the past again. The user is then asked about the tool calls that still wait. */
  async replay<T>(action: () => Promise<T>): Promise<T> {
    this.#replaying = true;
    this.#questions.cancelAll();
    try {
      return await action();
    } finally {
      this.#replaying = false;
      for (const call of waitingToolCalls(this.state)) void this.#askUser(call);
    }
  }

  /** The server forgot the session. */
  deleted(): void {
    this.turn?.end("cancelled");
    this.#questions.cancelAll();
    this.update({ type: "deleted" });
  }

  /** The connection is closed. */
  lost(reason: Error): void {
    const data = isWireError(reason) ? reason.data : undefined;
    this.turn?.fail(new WireError("closed", `chat/prompt: ${reason.message}`, { cause: reason, data }));
    this.#questions.cancelAll();
  }

  /** Takes a content from the connection: into the running turn, or to the listener. */
  receive(received: EcaParams<"chat/contentReceived">, chars: number): void | Promise<void> {
    const { content } = received;
    if (this.#isLate(received)) return this.#reportLate(String(received.requestId));
    const turn = this.turn?.owns(received) === true ? this.turn : undefined;
    if (content.type === "progress" && content.state === "finished") return this.#finished(turn, received);
    if (this.parent !== undefined && !this.#state.rest.running) this.update({ type: "started" });
    const before = "id" in content ? this.#state.entries.toolCall(String(content.id)) : undefined;
    this.#state.update({ type: "received", received }, chars);
    const event = readEvent(received, (id) => this.#state.entries.toolCall(id));
    const pushed = turn === undefined ? this.#link.onUpdate(event, this) : turn.push(event, chars);
    if (turn !== undefined) turn.begun = true;
    if (event.type === "tool_call") this.#follow(event.toolCall, before);
    return pushed;
  }

  /** Changes the state. */
  update(action: EcaSessionAction): void {
    this.#state.update(action);
  }

  /** Asks the user about a call that begins to wait. A call that the server decided needs no answer. */
  #follow(call: EcaToolCallState, before: EcaToolCallState | undefined): void {
    const { toolCallId, status } = call;
    if (status !== "waiting") this.#questions.answer(toolCallId, "void");
    else if (before?.status !== "waiting" && !this.#replaying) void this.#askUser(call);
  }

  /**
   * Some servers resume the stream of a cancelled prompt during the next one. They repeat the prompt's id, which shows
   * it.
   */
  #isLate({ requestId, content }: EcaParams<"chat/contentReceived">): boolean {
    return requestId !== undefined && content.type !== "metadata" && this.#over.has(String(requestId));
  }

  /** Once for each turn: its server may stream on for long. */
  #reportLate(requestId: string): void {
    if (this.#over.get(requestId) === true) return;
    this.#over.set(requestId, true);
    this.#report("late-content", "Content of a turn that has ended was dropped");
  }

  #report(id: string, message: string): void {
    this.#link.onDiagnostic({ id, method: "chat/contentReceived", message });
  }

  /** The user's selection; the server knows its own defaults. */
  #selected(kind: ChoiceKind): string | undefined {
    if (!this.#chosen.has(kind) && !this.#link.chosen.has(kind)) return undefined;
    return (kind === "model" ? this.models : this.agents).selected;
  }

  get #named(): { chatId?: string } {
    return this.id === undefined ? {} : { chatId: this.id };
  }

  #id(method: string): string {
    if (this.id !== undefined) return this.id;
    throw new WireError("invalid_params", `${method}: the session has no id yet; prompt first`);
  }

  /** Sends the prompt. An answer that no turn follows ends the turn. */
  async #send(turn: ClientTurn, params: EcaParams<"chat/prompt">): Promise<EcaResult<"chat/prompt">> {
    if (!turn.start()) throw new WireError("aborted", "chat/prompt: the turn was cancelled before it began");
    // a `finished` may be handled before the promise of the answer settles
    const onReply = (): void => turn.replied();
    const answer = this.#link.prompt(this, params, { signal: turn.unanswered, onReply });
    await turn.follow(answer.then(({ status }) => this.#began(turn, status)));
    return answer;
  }

  /** Takes the answer to a prompt, which is an end unless a turn follows. */
  #began(turn: ClientTurn, status: string): EcaStopReason | undefined {
    if (!runs.includes(status)) return status;
    turn.run();
    void turn.resendCancel(); // the session may have had no id before
    return undefined;
  }

  /** A `finished` that comes before anything else of its turn may be the second one of a cancelled turn before. */
  #finished(turn: ClientTurn | undefined, received: EcaParams<"chat/contentReceived">): void {
    if (turn !== undefined && (!this.#hadTurn || turn.begun || received.requestId !== undefined)) return turn.finish();
    if (this.turn === undefined) return this.update({ type: "ended" });
    this.#report("stale-finished", "The server reported the end of a turn twice");
  }

  #ended(turn: ClientTurn): void {
    this.#hadTurn = true;
    this.#over.set(turn.requestId, false);
    this.update({ type: "ended" });
  }

  /** A session without an id is stopped when it has one. */
  async #sendStop(): Promise<void> {
    if (this.id !== undefined) await this.#link.notify("chat/promptStop", { chatId: this.id });
  }

  async #askUser(toolCall: EcaToolCallState): Promise<void> {
    const { toolCallId } = toolCall;
    const onOpen = (): void => this.update({ type: "asked" });
    const answer = await this.#questions.ask(toolCall, this.signals, { id: toolCallId, onOpen });
    // The state may have no room for it anymore.
    const { status = "waiting" } = this.#state.entries.toolCall(toolCallId) ?? {};
    if (answer === "void" || status !== "waiting" || this.id === undefined) return;
    const approved = allows(answer);
    const method = approved ? "chat/toolCallApprove" : "chat/toolCallReject";
    const save = answer === "allow_always" ? { save: "session" } : {};
    try {
      const sent = this.#link.notify(method, { chatId: this.id, toolCallId, ...save });
      this.update({ type: "decided", toolCallId, approved });
      await sent;
    } catch (error) {
      this.#link.onError(error, method);
    }
  }
}
