import type {
  ChatCommand,
  ChatContentReceivedParams,
  ChatContext,
  ChatPromptParams,
  ChatPromptResult,
} from "@editwire/eca-schema";
import { isRemoteError, isWireError, WireError } from "@editwire/core";
import { toolCallIn } from "./client-entries.js";
import { readEvent } from "./client-events.js";
import {
  type SessionAction,
  type SessionState,
  emptySession,
  reduceSession,
  waitingToolCalls,
} from "./client-state.js";
import type { ToolCallState } from "./client-tool-call.js";
import { allows, type PermissionAnswer } from "./client-permission.js";
import type { ClientLink } from "./client-link.js";
import { Store } from "./client-store.js";
import { ClientTurn, type EcaTurn } from "./client-turn.js";

/** What goes with one prompt. */
export interface EcaPromptOptions {
  /** Aborting it stops the turn. */
  signal?: AbortSignal | undefined;
  /** Default: the server's. */
  model?: string | undefined;
  /** Such as `agent` or `plan`. Default: the server's. */
  behavior?: string | undefined;
  /** Default: the contexts of the chat's state. */
  contexts?: readonly ChatContext[] | undefined;
  /** A preset of the model, in `v2026`. */
  variant?: string | undefined;
  /** Approves every tool call, in `v2026`. */
  trust?: boolean | undefined;
}

/** A chat with a server. One turn runs at a time; chats run in parallel. */
export interface EcaSession {
  /** Absent while the server is still to name a new chat, in its answer to the first prompt. */
  readonly id: string | undefined;
  /** All that a view renders. */
  readonly state: SessionState;
  /** Calls `listener` with every new state; the answer is what stops that. */
  subscribe(listener: (state: SessionState) => void): () => void;
  /** Starts a turn. Throws `WireError("invalid_params")` while another turn of this chat runs. */
  prompt(message: string, options?: EcaPromptOptions): EcaTurn;
  /** Sends `chat/promptStop` for the running turn, if there is one. */
  cancel(): Promise<void>;
  /**
   * Answers whether a waiting tool call may run. Throws `WireError("invalid_params")` for a call that does not wait.
   */
  answerPermission(toolCallId: string, answer: PermissionAnswer): Promise<void>;
  /** Replaces the contexts that go with the prompts. */
  setContexts(contexts: readonly ChatContext[]): void;
  /** Asks for contexts to add; those of the state are left out. An empty query gives all. */
  queryContext(query: string): Promise<ChatContext[]>;
  /** Asks for files to add, in `v2026`. An empty query gives all. */
  queryFiles(query: string): Promise<ChatContext[]>;
  /** Asks for commands, which are prompted as `/name`. An empty query gives all. */
  queryCommands(query: string): Promise<ChatCommand[]>;
  /** Makes the server forget the chat; its state is empty then, and a later prompt starts anew. */
  delete(): Promise<void>;
  /** Gives the chat a title (`chat/update`, in `v2026`). Throws `WireError("invalid_params")` for a chat without an id. */
  rename(title: string): Promise<void>;
  /** Approves every tool call of the chat from now on, or no longer (`chat/update`, in `v2026`). */
  trust(always: boolean): Promise<void>;
  /** Makes the server forget what was said; the chat stays, with its title (`chat/clear`, in `v2026`). */
  clear(): Promise<void>;
  /**
   * Takes back what was said from a prompt on: the `contentId` of a message of the user (`chat/rollback`, in `v2026`).
   * `tools` also undoes what tools have changed, where the server can.
   */
  rollback(contentId: string, options?: { tools?: boolean | undefined }): Promise<void>;
  /**
   * Makes a new chat of what was said up to a prompt, and with it: the `contentId` of a message of the user (`chat/fork`, in `v2026`
   * dialect). It has this one's contexts. Throws `WireError("invalid_result")` when the server does not tell of a new chat.
   */
  fork(contentId: string): Promise<EcaSession>;
}

/** Ended turns whose late content is recognized. */
const maxOver = 100;

/** Answers to a prompt that a turn follows. */
const runs = ["success", "prompting"];

/** An `EcaSession` with the side that the connection feeds. */
export class ClientSession implements EcaSession {
  id: string | undefined;
  readonly #link: ClientLink;
  readonly #store: Store<SessionState>;
  #turn: ClientTurn | undefined;
  /** A turn has ended before this one. */
  #hadTurn = false;
  /** The ids of the prompts whose turns have ended. */
  readonly #over = new Set<string>();
  /** What comes now was said before, and decided. */
  #replaying = false;

  constructor(id: string | undefined, contexts: readonly ChatContext[] | undefined, link: ClientLink) {
    this.id = id;
    this.#link = link;
    this.#store = new Store(emptySession(contexts), (error) => link.onError(error, undefined));
  }

  /** The id of the prompt whose answer will name this chat. */
  get requestId(): string | undefined {
    return this.#turn?.requestId;
  }

  get state(): SessionState {
    return this.#store.state;
  }

  subscribe(listener: (state: SessionState) => void): () => void {
    return this.#store.subscribe(listener);
  }

  prompt(message: string, options: EcaPromptOptions = {}): EcaTurn {
    if (this.#turn !== undefined)
      throw new WireError("invalid_params", `chat/prompt: the chat has a running turn; await or stop it first`);
    const { signal, contexts = this.state.contexts, ...rest } = options;
    const turn = new ClientTurn(this.#link.newRequestId());
    const id = this.id === undefined ? {} : { chatId: this.id };
    this.#turn = turn;
    this.update({ type: "started" });
    const answer = this.#ask(
      turn,
      { ...id, requestId: turn.requestId, message, contexts: [...contexts], ...rest },
      signal,
    );
    answer.catch(() => {}); // the turn's own promise tells
    const cancel = (): Promise<void> => this.#stop(turn);
    return {
      stopReason: turn.stopReason,
      answer,
      cancel,
      [Symbol.asyncIterator]: () => turn.queue.read(() => void cancel()),
    };
  }

  async cancel(): Promise<void> {
    if (this.#turn !== undefined) await this.#stop(this.#turn);
  }

  async answerPermission(toolCallId: string, answer: PermissionAnswer): Promise<void> {
    const allowed = allows(answer);
    const method = allowed ? "chat/toolCallApprove" : "chat/toolCallReject";
    const chatId = this.#decide(method, toolCallId, allowed);
    const save = answer === "allow_always" ? { save: "session" } : {};
    await this.#link.notify(method, { chatId, toolCallId, ...save });
  }

  setContexts(contexts: readonly ChatContext[]): void {
    this.update({ type: "contexts", contexts: [...contexts] });
  }

  async queryContext(query: string): Promise<ChatContext[]> {
    const { contexts } = await this.#link.request("chat/queryContext", {
      ...this.#named,
      query,
      contexts: [...this.state.contexts],
    });
    return contexts;
  }

  async queryCommands(query: string): Promise<ChatCommand[]> {
    return (await this.#link.request("chat/queryCommands", { ...this.#named, query })).commands;
  }

  async delete(): Promise<void> {
    if (this.id !== undefined) await this.#link.request("chat/delete", { chatId: this.id });
    this.deleted();
  }

  async queryFiles(query: string): Promise<ChatContext[]> {
    return (await this.#link.request("chat/queryFiles", { ...this.#named, query })).files;
  }

  async rename(title: string): Promise<void> {
    await this.#link.request("chat/update", { chatId: this.#id("chat/update"), title });
    this.update({ type: "titled", title });
  }

  async trust(always: boolean): Promise<void> {
    await this.#link.request("chat/update", { chatId: this.#id("chat/update"), trust: always });
  }

  async clear(): Promise<void> {
    if (this.id !== undefined) await this.#link.request("chat/clear", { chatId: this.id, messages: true });
    this.update({ type: "cleared" });
  }

  async rollback(contentId: string, { tools = false }: { tools?: boolean | undefined } = {}): Promise<void> {
    const chatId = this.#id("chat/rollback");
    const include = tools ? ["messages", "tools"] : ["messages"];
    await this.replay(() => this.#link.request("chat/rollback", { chatId, contentId, include }));
  }

  async fork(contentId: string): Promise<EcaSession> {
    const chatId = this.#id("chat/fork");
    const fork = await this.#link.opened("chat/fork", () => this.#link.request("chat/fork", { chatId, contentId }));
    fork.setContexts(this.state.contexts);
    return fork;
  }

  /** Aborts once the running turn is stopped or ends; at rest it does not. */
  get signal(): AbortSignal {
    return this.#turn?.signal ?? new AbortController().signal;
  }

  /** Runs what makes the server show the chat anew. Of its tool calls, the user is asked about those that wait in the end. */
  async replay<T>(action: () => Promise<T>): Promise<T> {
    this.#replaying = true;
    try {
      return await action();
    } finally {
      this.#replaying = false;
      for (const call of waitingToolCalls(this.state)) void this.#askUser(call);
    }
  }

  /** The server forgot the chat. */
  deleted(): void {
    const turn = this.#turn;
    if (turn !== undefined) this.#end(turn, () => turn.finish("cancelled"));
    this.update({ type: "deleted" });
  }

  /** The connection is lost. */
  lost(reason: Error): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    const data = reason instanceof WireError ? reason.data : undefined;
    this.#end(turn, () =>
      turn.fail(new WireError("closed", `chat/prompt: ${reason.message}`, { cause: reason, data })),
    );
  }

  /** Takes a content from the connection: into the running turn, or to the listener. */
  receive(received: ChatContentReceivedParams): void | Promise<void> {
    if (this.#isLate(received)) return this.#late();
    const turn = this.#turn?.owns(received) === true ? this.#turn : undefined;
    const { content } = received;
    if (content.type === "progress" && content.state === "finished") return this.#finished(turn, received);
    const before = this.state;
    this.update({ type: "received", received });
    const event = readEvent(received, this.state);
    const wasWaiting = content.type === "toolCallRun" && toolCallIn(before.entries, content.id)?.status === "waiting";
    if (event.type === "tool_call" && event.toolCall.status === "waiting" && !wasWaiting && !this.#replaying)
      void this.#askUser(event.toolCall);
    if (turn === undefined) return this.#link.onUpdate(event, this);
    turn.begun = true;
    return turn.queue.push(event);
  }

  /** Some servers resume the stream of a cancelled prompt during the next one. They repeat the id of the prompt, which shows it. */
  #isLate({ requestId, content }: ChatContentReceivedParams): boolean {
    return requestId !== undefined && content.type !== "metadata" && this.#over.has(String(requestId));
  }

  #late(): void {
    this.#link.onDiagnostic({
      id: "late-content",
      method: "chat/contentReceived",
      message: "Content of a turn that has ended was dropped",
    });
  }

  /** Changes the state. */
  update(action: SessionAction): void {
    this.#store.set(reduceSession(this.state, action));
  }

  get #named(): { chatId?: string } {
    return this.id === undefined ? {} : { chatId: this.id };
  }

  #id(method: string): string {
    if (this.id === undefined) throw new WireError("invalid_params", `${method}: the chat has no id yet; prompt first`);
    return this.id;
  }

  async #ask(turn: ClientTurn, params: ChatPromptParams, signal: AbortSignal | undefined): Promise<ChatPromptResult> {
    const onAbort = (): void => void this.#stop(turn);
    try {
      if (signal?.aborted === true) throw new WireError("aborted", "chat/prompt: aborted", { cause: signal.reason });
      signal?.addEventListener("abort", onAbort, { once: true });
      void turn.stopReason.catch(() => {}).then(() => signal?.removeEventListener("abort", onAbort));
      const result = await this.#link.prompt(this, params, turn.unanswered);
      this.#answered(turn, result);
      return result;
    } catch (error) {
      const stopped = isWireError(error, "aborted") || (turn.stopping && isRemoteError(error));
      if (!turn.ended) this.#end(turn, () => (stopped ? turn.finish("cancelled") : turn.fail(error)));
      throw error;
    }
  }

  #answered(turn: ClientTurn, { status }: ChatPromptResult): void {
    turn.begun = true;
    if (turn.ended) return;
    if (!runs.includes(status)) this.#end(turn, () => turn.finish(status));
    else if (turn.stopping) this.#sendStop();
  }

  /** A `finished` that comes before anything else of its turn may be the second one of a stopped turn before. */
  #finished(turn: ClientTurn | undefined, received: ChatContentReceivedParams): void {
    if (turn === undefined || (this.#hadTurn && !turn.begun && received.requestId === undefined)) {
      if (this.#turn === undefined) return this.update({ type: "ended" });
      return this.#link.onDiagnostic({
        id: "stale-finished",
        method: "chat/contentReceived",
        message: "The server reported the end of a turn twice",
      });
    }
    this.#end(turn, () => turn.finish(turn.stopping ? "cancelled" : "end_turn"));
  }

  #end(turn: ClientTurn, settle: () => void): void {
    if (this.#turn === turn) this.#turn = undefined;
    this.#hadTurn = true;
    this.#over.add(turn.requestId);
    for (const oldest of this.#over) if (this.#over.size > maxOver) this.#over.delete(oldest);
    this.update({ type: "ended" });
    settle();
  }

  async #stop(turn: ClientTurn): Promise<void> {
    if (turn.stopping || turn.ended) return;
    turn.stopping = true;
    turn.quit();
    const timer = setTimeout(() => this.#giveUp(turn), this.#link.cancelGraceMs);
    void turn.stopReason.catch(() => {}).then(() => clearTimeout(timer));
    await this.#sendStop();
  }

  /** A chat without an id is stopped as soon as it has one. */
  async #sendStop(): Promise<void> {
    if (this.id === undefined) return;
    try {
      await this.#link.notify("chat/promptStop", { chatId: this.id });
    } catch (error) {
      this.#link.onError(error, "chat/promptStop");
    }
  }

  #giveUp(turn: ClientTurn): void {
    const message = `The server did not end a stopped turn within ${this.#link.cancelGraceMs} ms; it counts as ended`;
    this.#link.onDiagnostic({ id: "no-finished", method: "chat/promptStop", message });
    this.#end(turn, () => turn.finish("cancelled"));
    turn.giveUp();
  }

  async #askUser(toolCall: ToolCallState): Promise<void> {
    const { signal } = this;
    if (this.#link.permission === undefined || signal.aborted) return;
    try {
      const answer = await this.#link.permission(toolCall, { session: this, signal });
      if (answer !== undefined) await this.#apply(toolCall.toolCallId, answer, signal);
    } catch (error) {
      this.#link.onError(error, "chat/toolCallApprove");
      await this.#apply(toolCall.toolCallId, "reject_once", signal).catch((failure: unknown) =>
        this.#link.onError(failure, "chat/toolCallReject"),
      );
    }
  }

  /** Sends an answer, unless it was decided otherwise by now. */
  async #apply(id: string, answer: PermissionAnswer, signal: AbortSignal): Promise<void> {
    if (signal.aborted || toolCallIn(this.state.entries, id)?.status !== "waiting") return;
    await this.answerPermission(id, answer);
  }

  #decide(method: string, toolCallId: string, approved: boolean): string {
    const call = toolCallIn(this.state.entries, toolCallId);
    if (call?.status !== "waiting" || this.id === undefined) {
      const status = call === undefined ? "there is none" : `it is ${call.status}`;
      throw new WireError("invalid_params", `${method}: no tool call ${toolCallId} waits for the user; ${status}`);
    }
    this.update({ type: "decided", toolCallId, approved });
    return this.id;
  }
}
