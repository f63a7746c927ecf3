import type {
  AcpResult,
  ContentBlock,
  PermissionOutcome,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
  StopReason,
} from "@editwire/acp-schema";
import { WireError } from "@editwire/core";
import { charsOf } from "@editwire/peer";
import {
  type AskedTurn,
  AskingSession,
  failedToAnswer,
  History,
  isOpenCall,
  Questions,
  shown,
} from "@editwire/session";
import { type AcpAnswer, answerOf } from "../shared/confirmation.js";
import { capabilityOf } from "../shared/capabilities.js";
import { readUpdate, type AcpToolCallState, type AcpTurnEvent, type AcpUpdateEvent } from "./events.js";
import type { AcpAskOptions, AcpPromptOptions, AcpSession } from "./session-api.js";
import type { ClientLink } from "./link.js";
import { ambiguityOf, outcomeOf, type AcpPermissionAnswer, type AcpPermissionQuestion } from "./permission.js";
import { type AcpSessionState, ClientState } from "./state.js";
import { ClientToolCalls } from "./tool-calls.js";
import { type AcpModelState, choiceIn } from "./config-choices.js";
import { type AcpTurn, textOf } from "./turn.js";

/** An `AcpSession` with the part that the connection uses. */
export class ClientSession extends AskingSession<AcpSessionState, AcpUpdateEvent, StopReason> implements AcpSession {
  readonly id: string;
  opened: AcpResult<"session/new"> | AcpResult<"session/load">;
  /** The session's folders: its working directory, then the additional ones. */
  roots: readonly string[] = [];
  readonly #link: ClientLink;
  readonly #state: ClientState;
  readonly #toolCalls = new ClientToolCalls();
  readonly #questions: Questions<AcpPermissionQuestion, AcpPermissionAnswer>;
  readonly #history = new History<AcpUpdateEvent>();
  /** The calls of the running turn that the agent has announced only by asking for a permission. */
  readonly #asked = new Map<string, SessionUpdate>();
  /** Updates since a load began, at most 16 Mi characters of them. */
  #replayed: History<SessionUpdate> | undefined;
  /** From the call of `close` on, unless it fails. */
  #closing: Promise<AcpAnswer> | undefined;
  #closed = false;

  constructor(id: string, opened: AcpResult<"session/new"> | AcpResult<"session/load">, link: ClientLink) {
    const state = new ClientState(opened, (error) => link.onError(error, undefined));
    super(state, link);
    this.id = id;
    this.opened = opened;
    this.#link = link;
    this.#state = state;
    this.#questions = new Questions<AcpPermissionQuestion, AcpPermissionAnswer>({
      handler: link.permission,
      cancelled: "cancelled",
      rejected: "reject_once",
      onError: (error) => this.#permissionFailed(error),
    });
  }

  /** True for a session that no helper has opened, as the agent only asked a question about it. */
  get isAsked(): boolean {
    return this.roots.length === 0; // a helper gives a session its folders
  }

  get modes(): SessionModeState | undefined {
    return this.#state.rest.modes;
  }

  get models(): AcpModelState | undefined {
    return this.#state.rest.models;
  }

  get configOptions(): readonly SessionConfigOption[] {
    return this.#state.rest.configOptions;
  }

  get history(): readonly AcpUpdateEvent[] {
    return this.#history.items;
  }

  get permissions(): readonly AcpPermissionQuestion[] {
    return this.#questions.open;
  }

  prompt(prompt: string | readonly ContentBlock[], { signal, _meta, joinTexts }: AcpPromptOptions = {}): AcpTurn {
    this.checkIdle("session/prompt");
    const blocks = blocksOf(prompt);
    for (const block of blocks) this.#link.demands.check("session/prompt", capabilityOf(block));
    let answer: AcpResult<"session/prompt"> | undefined;
    const turn = this.begin({
      method: "session/prompt",
      cancelMethod: "session/cancel",
      sendCancel: () => this.#link.notify("session/cancel", { sessionId: this.id }),
      onEnd: () => this.#end(turn),
      signal,
      joinTexts,
    });
    this.#state.start(blocks);
    const params = { sessionId: this.id, prompt: blocks, ...(_meta === undefined ? {} : { _meta }) };
    if (turn.start()) {
      const asked = this.#link.request("session/prompt", params, { streams: true, signal: turn.givenUp });
      void turn.follow(asked.then((given) => (answer = given).stopReason));
    }
    const { stopReason, cancel, [Symbol.asyncIterator]: iterate } = turn.stream;
    const whole = stopReason.then((reason) => ({ ...answer, stopReason: reason }));
    whole.catch(() => {}); // an application that does not ask for the answer gets the error elsewhere
    const events = { [Symbol.asyncIterator]: iterate as () => AsyncIterator<AcpTurnEvent> };
    return { ...events, stopReason, cancel, answer: whole, readText: () => textOf(events) };
  }

  async setMode(modeId: string, options: AcpAskOptions = {}): Promise<AcpAnswer> {
    this.#checkOpen("session/set_mode");
    if (this.modes !== undefined)
      checkOffered("session/set_mode", `the mode "${modeId}"`, modeId, this.modes.availableModes);
    const option = choiceIn(this.configOptions, "mode");
    if (option !== undefined) return this.setConfigOption(option.id, modeId, options);
    const answer = await this.#link.ask("session/set_mode", { sessionId: this.id, modeId }, options);
    this.#state.setMode(modeId);
    return answerOf(answer);
  }

  async setModel(modelId: string, options: AcpAskOptions = {}): Promise<AcpAnswer> {
    const method = "session/set_config_option";
    this.#checkOpen(method);
    checkOffered(method, `the model "${modelId}"`, modelId, this.models?.availableModels ?? []);
    const option = choiceIn(this.configOptions, "model") as SessionConfigOption;
    return this.setConfigOption(option.id, modelId, options);
  }

  async setConfigOption(configId: string, value: string | boolean, options: AcpAskOptions = {}): Promise<AcpAnswer> {
    this.#checkOpen("session/set_config_option");
    checkOffered("session/set_config_option", `"${configId}"`, configId, this.configOptions);
    const target = { sessionId: this.id, configId };
    const params = typeof value === "boolean" ? { ...target, type: "boolean" as const, value } : { ...target, value };
    const answer = await this.#link.ask("session/set_config_option", params, options);
    this.#state.setConfigOptions(answer.configOptions);
    return answerOf(answer);
  }

  answerPermission(toolCallId: string, answer: AcpPermissionAnswer): boolean {
    outcomeOf(answer, []); // throws for what is not an answer, so that the question stays open
    return this.#questions.answer(toolCallId, answer);
  }

  close(options: AcpAskOptions = {}): Promise<AcpAnswer> {
    return (this.#closing ??= this.#close(options));
  }

  async #close(options: AcpAskOptions): Promise<AcpAnswer> {
    try {
      await this.cancel();
      this.#questions.cancelAll();
      const answer = await this.#link.closeSession(this, options);
      this.#closed = true;
      return answer;
    } catch (error) {
      this.#closing = undefined;
      throw error;
    }
  }

  /** Cancels the turn, and answers open permission requests of a turn that was not started here. */
  async cancelAll(): Promise<boolean> {
    this.#questions.cancelAll();
    if (this.turn === undefined) return false;
    await this.turn.cancel();
    return true;
  }

  /** As `cancelAll`, before the connection is closed. */
  async cancelToClose(): Promise<void> {
    this.#questions.cancelAll();
    await this.turn?.cancelToClose();
  }

  /** Throws `WireError("invalid_params")` when the session is closed, or is about to be. */
  #checkOpen(method: string): void {
    if (this.#closing === undefined) return;
    const why = this.#closed ? "is closed; load it or open another one" : "is being closed; await that first";
    throw new WireError("invalid_params", `${method}: session ${this.id} ${why}`);
  }

  /** Throws `WireError("invalid_params")` after `close()`, while a turn runs, and while the session is being loaded. */
  override checkIdle(method: string): void {
    this.#checkOpen(method);
    super.checkIdle(method);
    if (this.#replayed !== undefined)
      throw new WireError("invalid_params", `${method}: session ${this.id} is being loaded; await that first`);
  }

  /** Runs what loads this session, and takes what the agent replays. When it fails, the session stays as it was. */
  async load(request: () => Promise<AcpResult<"session/load">>): Promise<void> {
    this.checkIdle("session/load");
    const replayed = (this.#replayed = new History({ maxItems: Number.POSITIVE_INFINITY }));
    try {
      this.opened = await request();
    } catch (error) {
      this.#replayed = undefined;
      for (const update of replayed.items) void this.receive(update);
      throw error;
    }
    this.#replayed = undefined;
    this.#state.clear();
    this.#state.reopen(this.opened);
    this.#history.replace(replayed.items.map((update) => this.#read(update, charsOf(update), true)));
  }

  /** Runs what resumes this session. When it fails, the session stays as it was. */
  async resume(request: () => Promise<AcpResult<"session/resume">>): Promise<void> {
    this.checkIdle("session/resume");
    this.answered(await request());
  }

  /** Takes the answer that opens this session, which may have been used before. */
  answered(opened: AcpResult<"session/new"> | AcpResult<"session/load">): void {
    this.opened = opened;
    this.#state.reopen(opened);
  }

  /** Takes an update of `chars` characters from the connection: into the running turn, or to the listener. */
  receive(update: SessionUpdate, chars = charsOf(update)): void | Promise<void> {
    if (this.#replayed !== undefined) return this.#replayed.add(update);
    const event = this.#read(update, chars, false);
    if (this.turn !== undefined) return this.turn.push(event, chars);
    this.#link.onUpdate(event, this);
  }

  /** Answers a permission request. It waits until the reader of the turn was given what came before it. */
  async decide(request: AcpPermissionQuestion, closed: AbortSignal): Promise<AcpResult<"session/request_permission">> {
    const turn = this.turn;
    const signals = turn === undefined ? [closed] : [closed, turn.signal];
    if (turn !== undefined) await turn.handed();
    const { toolCallId } = request.toolCall;
    const before = this.#toolCalls.get(toolCallId);
    const toolCall = this.#toolCalls.merge(request.toolCall);
    const { content, locations, status: _, ...known } = toolCall;
    const merged = { ...request.toolCall, ...known, content: [...content], locations: [...locations] };
    const question: AcpPermissionQuestion = { ...request, title: request.title ?? merged.title, toolCall: merged };
    const update: SessionUpdate = { ...merged, sessionUpdate: "tool_call", status: merged.status ?? "pending" };
    if (before === undefined) this.#asked.set(toolCallId, update);
    const answer = await this.#questions.ask(question, signals, {
      id: toolCallId,
      onOpen: () => {
        this.#state.wait(true);
        this.#show({ ...toolCall, status: "waiting" }); // its listeners find the question
      },
    });
    this.#state.wait(this.#questions.open.length > 0);
    const outcome = this.#outcome(answer, request);
    const now = this.#toolCalls.get(toolCallId);
    const isOver = turn?.ended === true && turn.cancelled;
    if (now?.status === "waiting" && !isOver) this.#show({ ...now, status: statusAfter(outcome, request, before) });
    if (turn === undefined) this.#asked.delete(toolCallId);
    return { outcome, ...(typeof answer === "object" ? answerOf(answer) : {}) };
  }

  /** A value that is not an answer, which only JavaScript can pass, rejects. */
  #outcome(answer: AcpPermissionAnswer, { options }: AcpPermissionQuestion): PermissionOutcome {
    try {
      const message = ambiguityOf(answer, options);
      const method = "session/request_permission";
      if (message !== undefined) this.#link.onDiagnostic({ id: "ambiguous-answer", method, message });
      return outcomeOf(answer, options);
    } catch (error) {
      this.#permissionFailed(error);
      return outcomeOf("reject_once", options);
    }
  }

  #permissionFailed(error: unknown): void {
    this.#link.onError(error, "session/request_permission", failedToAnswer("permission", "the tool call is rejected"));
  }

  #read(update: SessionUpdate, chars: number, replayed: boolean): AcpUpdateEvent {
    const event = readUpdate(update, (call) => this.#toolCalls.merge(call, chars));
    this.#state.receive(event, chars, replayed);
    return event;
  }

  /** Takes what this side knows of a call. The reader of the turn learns of one that the agent does not report. */
  #show(toolCall: AcpToolCallState): void {
    this.#state.show(this.#toolCalls.set(toolCall));
    const update = this.#asked.get(toolCall.toolCallId);
    if (update === undefined) return;
    const event: AcpUpdateEvent = { type: "tool_call", toolCall, update };
    if (this.turn !== undefined) void this.turn.push(event);
    else this.#link.onUpdate(event, this);
  }

  #end(turn: AskedTurn<AcpUpdateEvent, StopReason>): void {
    for (const [toolCallId, update] of this.#asked) {
      const toolCall = this.#toolCalls.get(toolCallId);
      if (!turn.cancelled || toolCall === undefined || !isOpenCall(toolCall)) continue;
      void turn.push({ type: "tool_call", toolCall: { ...toolCall, status: "cancelled" }, update });
    }
    this.#asked.clear();
    this.#state.end(turn.cancelled);
  }
}

/** The status of a call after its question. Of a call that was only asked for, the agent may say nothing more. */
function statusAfter(
  outcome: PermissionOutcome,
  { options }: AcpPermissionQuestion,
  before: AcpToolCallState | undefined,
): AcpToolCallState["status"] {
  if (outcome.outcome === "cancelled") return before?.status ?? "cancelled";
  const chosen = options.find(({ optionId }) => optionId === outcome.optionId);
  return chosen?.kind.startsWith("reject") === true ? "rejected" : (before?.status ?? "pending");
}

/** Throws `WireError("invalid_params")` for what the session does not offer; `what` names it. */
function checkOffered(method: string, what: string, id: string, offered: readonly { readonly id: string }[]): void {
  if (offered.some((one) => one.id === id)) return;
  const only = offered.length === 0 ? "" : `, only ${offered.map((one) => one.id).join(", ")}`;
  throw new WireError("invalid_params", `${method}: the session does not offer ${what}${only}`);
}

function blocksOf(prompt: string | readonly ContentBlock[]): ContentBlock[] {
  if (typeof prompt === "string") return [{ type: "text", text: prompt }];
  if (Array.isArray(prompt)) return [...(prompt as readonly ContentBlock[])];
  throw new TypeError(`session.prompt: expected a string or an array of content blocks, received ${shown(prompt)}`);
}
