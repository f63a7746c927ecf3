import { isRemoteError, isWireError, WireError } from "@editwire/core";
import type {
  ChatAskQuestionParams,
  ChatAskQuestionResult,
  ChatContent,
  ChatContentReceivedParams,
  ChatContext,
  ChatRole,
  ToolCallRejectReason,
} from "@editwire/eca-schema";
import { type EcaNewToolCall, type EcaToolCall, ServerToolCall } from "./server-tool-call.js";
import type { EcaServerSession, EcaUsage, ServerSession } from "./server-session.js";

/** What a server does in a turn. When it throws, the client is shown the message of a `RemoteError`, and of any other error nothing. */
export type EcaTurnHandler = (turn: EcaServerTurn) => void | Promise<void>;

/**
 * One prompt, from the server's side. The turn ends with exactly one `progress finished`, however the handler ends; after that
 * it throws `WireError("closed")`. Methods return a promise only when the client is slow.
 */
export interface EcaServerTurn {
  readonly session: EcaServerSession;
  /** The text of the prompt. */
  readonly promptText: string;
  /** The id of this prompt in the chat, by which it is taken back or forked (`rollbackSession`, `forkSession`). */
  readonly contentId: string;
  /** Also of types that this version does not know: pass over those. */
  readonly contexts: readonly ChatContext[];
  /** The model to ask: one that the server offers. */
  readonly model: string | undefined;
  /** Such as `agent` or `plan`: one that the server offers. */
  readonly behavior: string | undefined;
  /** Aborts when the client stops the turn, deletes the chat, or goes away. */
  readonly signal: AbortSignal;
  /** Sends text of the model, verbatim. */
  text(text: string): void | Promise<void>;
  /** Sends a piece of what the model thinks; whatever else the model sends ends the thought. */
  thought(text: string): void | Promise<void>;
  /** Sends a link of the model. */
  url(title: string, url: string): void | Promise<void>;
  /** Says what the server does. */
  progress(text: string): void | Promise<void>;
  /** Sends text of the server itself, such as the output of a command. */
  notice(text: string): void | Promise<void>;
  /** Reports one answer of the model; the totals of turn and chat are kept here. */
  usage(usage: EcaUsage): void | Promise<void>;
  /** Sends content that has no method here. Throws `invalid_params` for the kinds whose order the turn keeps. */
  content(content: ChatContent, role?: ChatRole): void | Promise<void>;
  /**
   * Announces a tool call and, with `manualApproval`, waits for the user. When the call is not `allowed`, the client knows
   * already; one that is left open ends with the turn, as failed.
   */
  toolCall(call: EcaNewToolCall): Promise<EcaToolCall>;
  /**
   * Asks the user, in `v2026`; `undefined` when there is no answer. Ask only a client whose `chatCapabilities` have
   * `askQuestion`: others answer -32601, or never. Throws `WireError("aborted")` when the turn is stopped first.
   */
  ask(question: string, options?: EcaQuestionOptions): Promise<string | undefined>;
}

/** How a question is put. */
export interface EcaQuestionOptions {
  /** Answers to choose from. Default none. */
  options?: ChatAskQuestionParams["options"];
  /** Whether the user may answer in own words. Default true. */
  allowFreeform?: boolean | undefined;
  /** The tool call that asks; editors show the question in its place. */
  toolCallId?: string | undefined;
}

/** What a turn is made of. */
export interface TurnOptions {
  readonly chat: ServerSession;
  readonly message: string;
  readonly contexts: readonly ChatContext[];
  readonly model: string | undefined;
  readonly behavior: string | undefined;
  readonly requestId: string | number | undefined;
  readonly send: (params: ChatContentReceivedParams) => void | Promise<void>;
  readonly ask: (params: ChatAskQuestionParams, signal: AbortSignal) => Promise<ChatAskQuestionResult>;
  /** True for a tool that the user approved for good. */
  readonly trusts: (server: string, tool: string) => boolean;
}

const guarded = new Set(["progress", "reasonStarted", "reasonText", "reasonFinished", "usage"]);

/** An `EcaServerTurn` with the side that the connection drives. */
export class ServerTurn implements EcaServerTurn {
  readonly #options: TurnOptions;
  readonly #controller = new AbortController();
  readonly #calls = new Map<string, ServerToolCall>();
  readonly #used: EcaUsage = { inputTokens: 0, outputTokens: 0 };
  #thought: { readonly id: string; readonly since: number } | undefined;
  #state: "open" | "ending" | "ended" = "open";
  readonly contentId: string;
  /** `run` was called. */
  started = false;
  #markEnded = (): void => {};
  /** Resolves when the turn has ended. */
  readonly ended: Promise<void> = new Promise((resolve) => (this.#markEnded = resolve));

  constructor(options: TurnOptions) {
    this.#options = options;
    this.contentId = options.chat.takeId();
  }

  get session(): ServerSession {
    return this.#options.chat;
  }

  get promptText(): string {
    return this.#options.message;
  }

  get contexts(): readonly ChatContext[] {
    return this.#options.contexts;
  }

  get model(): string | undefined {
    return this.#options.model;
  }

  get behavior(): string | undefined {
    return this.#options.behavior;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  text(text: string): void | Promise<void> {
    return this.#open("assistant", { type: "text", text });
  }

  thought(text: string): void | Promise<void> {
    this.#check();
    if (this.signal.aborted) return;
    if (this.#thought === undefined) {
      const id = this.session.takeId();
      void this.#send("assistant", { type: "reasonStarted", id });
      this.#thought = { id, since: performance.now() };
    }
    return this.#send("assistant", { type: "reasonText", id: this.#thought.id, text });
  }

  url(title: string, url: string): void | Promise<void> {
    return this.#open("assistant", { type: "url", title, url });
  }

  progress(text: string): void | Promise<void> {
    return this.#open("system", { type: "progress", state: "running", text });
  }

  notice(text: string): void | Promise<void> {
    return this.#open("system", { type: "text", text });
  }

  usage(usage: EcaUsage): void | Promise<void> {
    const used = this.#used;
    used.inputTokens += usage.inputTokens;
    used.outputTokens += usage.outputTokens;
    if (usage.cost !== undefined) used.cost = (used.cost ?? 0) + usage.cost;
    return this.#open("system", this.session.count(usage, used));
  }

  content(content: ChatContent, role: ChatRole = "assistant"): void | Promise<void> {
    if (guarded.has(content.type) || content.type.startsWith("toolCall")) {
      throw new WireError(
        "invalid_params",
        `chat/contentReceived: "${content.type}" has a method of its own in a turn`,
      );
    }
    return this.#open(role, content);
  }

  async toolCall(call: EcaNewToolCall): Promise<EcaToolCall> {
    this.#check();
    const { server = "eca", manualApproval = false } = call;
    const manual = manualApproval && !this.#options.trusts(server, call.name);
    const id = this.session.takeId(call.toolCallId);
    const toolCall = new ServerToolCall(
      id,
      call,
      manual,
      (content) => this.#send("assistant", content),
      () => this.#calls.delete(id),
    );
    if (this.signal.aborted) return toolCall; // nobody waits for it any more: it is not allowed, and not shown
    this.#endThought();
    this.#calls.set(id, toolCall);
    await toolCall.announce();
    if (manual && !toolCall.allowed)
      await this.#send("system", { type: "progress", state: "running", text: "Waiting for tool call approval" });
    await toolCall.decided;
    return toolCall;
  }

  async ask(question: string, options: EcaQuestionOptions = {}): Promise<string | undefined> {
    this.#check();
    this.#endThought();
    const { answer, cancelled } = await this.#options.ask(
      { chatId: this.session.id, question, ...options },
      this.signal,
    );
    return cancelled ? undefined : (answer ?? undefined);
  }

  /** The tool call of this id that is not over. */
  openCall(id: string): ServerToolCall | undefined {
    return this.#calls.get(id);
  }

  /** The user's echo: the first content of a turn. */
  echo(): void {
    void this.#send("user", { type: "text", text: `${this.promptText}\n`, contentId: this.contentId });
    void this.#send("system", { type: "progress", state: "running", text: "Waiting model" });
  }

  /** Stops the turn: no call that waits for the user will run. */
  stop(reason: ToolCallRejectReason): void {
    if (this.signal.aborted || this.#state !== "open") return;
    this.#controller.abort(new WireError("aborted", `The turn of chat ${this.session.id} was stopped`));
    for (const call of this.#calls.values()) this.#quietly(() => call.reject(reason));
  }

  /**
   * Runs the server's handler to the turn's one end. A handler that does not return within `graceMs` of a stop is left behind:
   * its turn has ended, and what it still sends is refused.
   */
  async run(handler: EcaTurnHandler, graceMs: number, onError: (error: unknown) => void): Promise<void> {
    this.started = true;
    const handled = (async () => this.signal.aborted || handler(this))();
    const grace = afterAbort(this.signal, graceMs);
    let notice: string | undefined;
    try {
      await Promise.race([handled, grace.over]);
    } catch (error) {
      if (!this.signal.aborted) {
        if (!isRemoteError(error) && !isWireError(error, "closed")) onError(error);
        notice = isRemoteError(error) ? error.message : "Internal error";
      }
    }
    grace.clear();
    handled.catch(
      (error: unknown) => this.signal.aborted && !isWireError(error) && !isAbortError(error) && onError(error),
    );
    await this.#end(this.signal.aborted ? "\nPrompt stopped" : notice);
  }

  /** Says how it ended, in the order that clients rely on. Nothing of the handler gets in between. */
  async #end(notice: string | undefined): Promise<void> {
    this.#state = "ending";
    const sends: (void | Promise<void>)[] = [];
    const send = (role: ChatRole, content: ChatContent): void =>
      this.#quietly(() => sends.push(this.#send(role, content)));
    this.#quietly(() => this.#endThought());
    for (const call of [...this.#calls.values()]) {
      this.#quietly(() => sends.push(call.reject("user")));
      this.#quietly(() => sends.push(call.fail("The call did not finish.")));
    }
    if (notice !== undefined) send("system", { type: "text", text: notice });
    if (this.session.turn === this) this.session.turn = undefined; // who reads the end may prompt again at once
    send("system", { type: "progress", state: "finished", text: "" });
    this.#state = "ended";
    await Promise.all(sends);
    this.#markEnded();
  }

  /** The client may be gone: there is nobody to tell. */
  #quietly(action: () => unknown): void {
    try {
      action();
    } catch (error) {
      if (!isWireError(error, "closed") && !isWireError(error, "overloaded")) throw error;
    }
  }

  /** What a stopped turn still says is not shown; its tool calls still end. */
  #open(role: ChatRole, content: ChatContent): void | Promise<void> {
    this.#check();
    if (this.signal.aborted) return;
    if (role === "assistant") this.#endThought();
    return this.#send(role, content);
  }

  #check(): void {
    if (this.#state !== "open")
      throw new WireError("closed", `chat/contentReceived: the turn of chat ${this.session.id} has ended`);
  }

  #endThought(): void {
    if (this.#thought === undefined) return;
    const { id, since } = this.#thought;
    this.#thought = undefined;
    void this.#send("assistant", { type: "reasonFinished", id, totalTimeMs: Math.round(performance.now() - since) });
  }

  #send(role: ChatRole, content: ChatContent): void | Promise<void> {
    if (this.#state === "ended")
      throw new WireError("closed", `chat/contentReceived: the turn of chat ${this.session.id} has ended`);
    const { chat, requestId, send } = this.#options;
    chat.keep(role, content);
    return send({ chatId: chat.id, role, content, ...(requestId === undefined ? {} : { requestId }) });
  }
}

/** A promise that resolves `ms` after the signal aborts, and what stops its timer. */
function afterAbort(signal: AbortSignal, ms: number): { over: Promise<void>; clear: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let start = (): void => {};
  const over = new Promise<void>((resolve) => (start = () => (timer = setTimeout(resolve, ms))));
  if (signal.aborted) start();
  else signal.addEventListener("abort", start, { once: true });
  return {
    over,
    clear() {
      signal.removeEventListener("abort", start);
      clearTimeout(timer);
    },
  };
}

/** What platforms throw for a signal that aborted. */
function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
