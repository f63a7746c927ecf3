import { isRemoteError, isWireError, RemoteError, WireError } from "@editwire/core";
import type {
  ChatContent,
  ChatContext,
  ChatRole,
  ChatStatus,
  EcaParams,
  EcaResult,
  EcaTraits,
} from "@editwire/eca-schema";
import { AnsweredTurn, type AskOptions, type TurnOutcome, WholeCharacters } from "@editwire/session";
import type { EcaServerSession } from "./session-api.js";
import { addUsage, type EcaUsage, usageContent } from "./usage.js";
import { type EcaNewToolCall, type EcaToolCall, ServerToolCall } from "./tool-call.js";

/**
 * Runs a turn of a server. When it throws a `RemoteError`, the client is shown its message; any other error is shown as
 * "Internal error".
 */
export type EcaTurnHandler = (turn: EcaServerTurn) => void | Promise<void>;

/**
 * One prompt turn of the server. The turn ends with exactly one `progress finished`, however the handler ends; after
 * that it throws `WireError("closed")`. Methods return a promise only when the client is slow.
 */
export interface EcaServerTurn {
  readonly session: EcaServerSession;
  /** The text of the prompt. */
  readonly promptText: string;
  /** The id of this prompt in the session, for `rollbackSession` and `forkSession`. */
  readonly contentId: string;
  /** May have types that this version does not know; ignore those. */
  readonly contexts: readonly ChatContext[];
  /** The model to ask: one that the server offers; what the client wants when the server offers none. */
  readonly model: string | undefined;
  /** Such as `agent` or `plan`: one that the server offers; what the client wants when the server offers none. */
  readonly behavior: string | undefined;
  /** Aborts when the client stops the turn, deletes the chat, or closes the connection. */
  readonly signal: AbortSignal;
  /** Resolves, never rejects, when the turn has ended, so that another one can be started. */
  readonly ended: Promise<void>;
  /** Sends text of the model, verbatim. */
  text(text: string): void | Promise<void>;
  /** Sends a piece of a thought of the model; anything else that the model sends ends the thought. */
  thought(text: string): void | Promise<void>;
  /** Sends a link of the model. */
  url(title: string, url: string): void | Promise<void>;
  /** Says what the server does. */
  progress(text: string): void | Promise<void>;
  /** Sends text of the server itself, such as the output of a command. */
  notice(text: string): void | Promise<void>;
  /** Reports the usage of one answer of the model; the totals of turn and session are counted here. */
  usage(usage: EcaUsage): void | Promise<void>;
  /** Sends content that has no method here. Throws `WireError("invalid_params")` for content that has one. */
  content(content: ChatContent, role?: ChatRole): void | Promise<void>;
  /**
   * Announces a tool call and, with `manualApproval`, waits for the user. When the call is not `allowed`, the client
   * knows already. A call that is still open when the turn ends is reported as failed.
   */
  toolCall(call: EcaNewToolCall): Promise<EcaToolCall>;
  /**
   * Takes the messages that the user added to the running turn since the last call, for the model's next step
   * (`chat/promptSteer`, in `v2026`). The client is shown each as a message of the user. Empty when there are none.
   */
  takeSteers(): readonly EcaSteer[];
  /** Calls `listener` when the user has added a message, which `takeSteers` then returns. */
  onSteer(listener: () => void): void;
  /**
   * Asks the user, in `v2026`; `undefined` when there is no answer. Ask only a client whose `chatCapabilities` have
   * `askQuestion`: others answer -32601, or never. Throws `WireError("aborted")` when the turn is cancelled first, and
   * `timeout` after `timeoutMs` (default: none, since the user may take long).
   */
  ask(question: string, options?: EcaQuestionOptions): Promise<string | undefined>;
}

/** A message that the user added to a running turn. */
export interface EcaSteer {
  readonly text: string;
  /** Its id in the session, for `rollbackSession` and `forkSession`. */
  readonly contentId: string;
}

/** How a question is put. */
export interface EcaQuestionOptions extends AskOptions {
  /** Answers to choose from. Default none. */
  options?: EcaParams<"chat/askQuestion">["options"];
  /** Whether the user may answer in their own words. Default true. */
  allowFreeform?: boolean | undefined;
  /** The tool call that asks; editors show the question in its place. */
  toolCallId?: string | undefined;
}

interface TurnSession extends EcaServerSession {
  /** True when the server made the id, so that a client may not know it yet. */
  readonly minted: boolean;
  /** The running turn. */
  turn: ServerTurn | undefined;
  /** The usage of all answers in this session. */
  used: EcaUsage;
  /** An id for a tool call or a thought: the wanted one, unless the session has used it. */
  takeId(wanted?: string): string;
  /** Keeps what the client is sent for this session. */
  keep(role: ChatRole, content: ChatContent): void;
}

export interface TurnOptions {
  readonly session: TurnSession;
  readonly promptText: string;
  readonly contexts: readonly ChatContext[];
  readonly model: string | undefined;
  readonly behavior: string | undefined;
  readonly requestId: string | number | undefined;
  readonly traits: EcaTraits;
  readonly send: (params: EcaParams<"chat/contentReceived">) => void | Promise<void>;
  /** Sends how the session is. */
  readonly status: (status: ChatStatus) => void;
  readonly ask: (params: EcaParams<"chat/askQuestion">, options: AskOptions) => Promise<EcaResult<"chat/askQuestion">>;
  /** True for a tool that the user approved for the session. */
  readonly trusts: (server: string, tool: string) => boolean;
}

const guarded = new Set(["progress", "reasonStarted", "reasonText", "reasonFinished", "usage"]);

/** An `EcaServerTurn` with the part that the connection uses. */
export class ServerTurn implements EcaServerTurn {
  readonly session: TurnSession;
  readonly promptText: string;
  readonly contexts: readonly ChatContext[];
  readonly model: string | undefined;
  readonly behavior: string | undefined;
  readonly contentId: string;
  readonly ended: Promise<void>;
  /** True when `run` was called. */
  started = false;
  readonly #options: TurnOptions;
  readonly #turn: AnsweredTurn;
  readonly #calls = new Map<string, ServerToolCall>();
  readonly #characters = { text: new WholeCharacters(), thought: new WholeCharacters() };
  readonly #steers: string[] = [];
  /** The last text does not end its line. */
  #inLine = false;
  #used: EcaUsage = { inputTokens: 0, outputTokens: 0 };
  #thought: { readonly id: string; readonly since: number; readonly close: () => void } | undefined;
  #markEnded = (): void => {};
  #onSteer = (): void => {};

  constructor(options: TurnOptions) {
    this.#options = options;
    ({
      session: this.session,
      promptText: this.promptText,
      contexts: this.contexts,
      model: this.model,
      behavior: this.behavior,
    } = options);
    this.contentId = this.session.takeId();
    this.#turn = new AnsweredTurn(`the turn of session ${this.session.id}`);
    this.ended = new Promise((resolve) => (this.#markEnded = resolve));
  }

  get signal(): AbortSignal {
    return this.#turn.signal;
  }

  text(said: string): void | Promise<void> {
    const text = this.#characters.text.of(said);
    if (text === said || text !== "") return this.#say("assistant", { type: "text", text });
    this.#check();
  }

  thought(thought: string): void | Promise<void> {
    this.#check();
    if (this.#turn.cancelled) return;
    if (this.#thought === undefined) {
      const id = this.session.takeId();
      void this.#send("assistant", { type: "reasonStarted", id });
      this.#thought = { id, since: performance.now(), close: this.#turn.opened(() => this.#endThought()) };
    }
    const text = this.#characters.thought.of(thought);
    if (text === thought || text !== "")
      return this.#send("assistant", { type: "reasonText", id: this.#thought.id, text });
  }

  url(title: string, url: string): void | Promise<void> {
    return this.#say("assistant", { type: "url", title, url });
  }

  progress(text: string): void | Promise<void> {
    return this.#say("system", { type: "progress", state: "running", text });
  }

  notice(text: string): void | Promise<void> {
    return this.#say("system", this.#ownLine(text));
  }

  usage(usage: EcaUsage): void | Promise<void> {
    const message = addUsage(this.#used, usage);
    const session = addUsage(this.session.used, usage);
    const counted = this.#options.traits.sessionTokens === "request" ? usage : session;
    const sent = this.#say("system", usageContent(message, session, counted));
    this.#used = message; // after the send: what does not fit is not counted
    this.session.used = session;
    return sent;
  }

  content(content: ChatContent, role: ChatRole = "assistant"): void | Promise<void> {
    if (guarded.has(content.type) || content.type.startsWith("toolCall")) {
      const message = `chat/contentReceived: "${content.type}" has a method of its own in a turn`;
      throw new WireError("invalid_params", message);
    }
    return this.#say(role, content);
  }

  async toolCall(call: EcaNewToolCall): Promise<EcaToolCall> {
    this.#check();
    const { server = "eca", manualApproval = false } = call;
    const asks = (wanted: boolean): boolean => wanted && !this.#options.trusts(server, call.name);
    const manual = typeof manualApproval === "boolean" ? asks(manualApproval) : manualApproval.then(asks);
    const id = this.session.takeId(call.toolCallId);
    let onEnd = (): void => {};
    const toolCall = new ServerToolCall(id, call, {
      manual,
      reportsRunning: this.#options.traits.reportsChats,
      argumentsText: this.#options.traits.argumentsText,
      send: (content) => this.#send("assistant", content),
      onEnd: () => onEnd(),
    });
    if (this.#turn.cancelled) return toolCall; // it is neither allowed nor shown
    this.#endThought();
    this.#calls.set(id, toolCall);
    const close = this.#turn.opened(() => toolCall.abandon());
    onEnd = () => {
      this.#calls.delete(id);
      close();
    };
    await toolCall.announce();
    if (toolCall.waiting)
      await this.#send("system", { type: "progress", state: "running", text: "Waiting for tool call approval" });
    await toolCall.decided;
    return toolCall;
  }

  async ask(
    question: string,
    { signal, timeoutMs, allowFreeform = true, ...rest }: EcaQuestionOptions = {},
  ): Promise<string | undefined> {
    this.#check();
    this.#endThought();
    const { answer, cancelled } = await this.#options.ask(
      { chatId: this.session.id, question, allowFreeform, ...rest },
      { signal: signal === undefined ? this.signal : AbortSignal.any([this.signal, signal]), timeoutMs },
    );
    return cancelled ? undefined : (answer ?? undefined);
  }

  takeSteers(): readonly EcaSteer[] {
    this.#check();
    const taken = this.#steers.splice(0);
    if (this.#turn.cancelled) return [];
    const steers = taken.map((text) => ({ text, contentId: this.session.takeId() }));
    for (const { text, contentId } of steers) void this.#say("user", { type: "text", text: `${text}\n`, contentId });
    return steers;
  }

  onSteer(listener: () => void): void {
    this.#onSteer = listener;
  }

  /** Keeps a message of the user until the handler takes it. */
  steer(message: string): void {
    this.#steers.push(message);
    this.#onSteer();
  }

  /** Forgets the messages of the user that the handler has not taken. */
  dropSteers(): void {
    this.#steers.length = 0;
  }

  /** The tool call of this id that has not ended. */
  openCall(id: string): ServerToolCall | undefined {
    return this.#calls.get(id);
  }

  /** Repeats the prompt, if there is one, for the client: the first content of a turn. */
  echo(): void {
    if (this.promptText !== "")
      void this.#send("user", { type: "text", text: `${this.promptText}\n`, contentId: this.contentId });
    this.#options.status("running");
    void this.#send("system", { type: "progress", state: "running", text: "Waiting model" });
  }

  /** Cancels the turn. No call that waits for the user will run. */
  cancel(cause?: WireError): void {
    if (!this.#turn.cancel(cause)) return;
    this.#options.status("stopping");
    for (const call of this.#calls.values()) ignoreLostClient(() => call.reject("userPromptStop"));
  }

  /** Runs the server's handler until the turn has ended. */
  async run(handler: EcaTurnHandler, cancelGraceMs: number, onError: (error: unknown) => void): Promise<void> {
    this.started = true;
    try {
      await this.#turn.run(() => handler(this), {
        cancelGraceMs,
        onError,
        end: (outcome) => this.#end(noticeOf(outcome, onError)),
      });
    } finally {
      this.#markEnded();
    }
  }

  /** Says how the turn ended. A client that reads it may prompt again at once. */
  async #end(notice: string | undefined): Promise<void> {
    const sends: (void | Promise<void>)[] = [];
    const send = (content: ChatContent): void => ignoreLostClient(() => void sends.push(this.#send("system", content)));
    if (notice !== undefined) send(this.#ownLine(notice));
    if (this.session.turn === this) this.session.turn = undefined;
    this.#options.status("idle");
    send({ type: "progress", state: "finished", text: "" });
    await Promise.all(sends);
  }

  /** Text of the server, which editors append to what the model has said. */
  #ownLine(text: string): ChatContent {
    return { type: "text", text: this.#inLine && !text.startsWith("\n") ? `\n${text}` : text };
  }

  /** Contents of a cancelled turn are not shown; its tool calls still end. */
  #say(role: ChatRole, content: ChatContent): void | Promise<void> {
    this.#check();
    if (this.#turn.cancelled) return;
    if (role === "assistant") this.#endThought();
    if (content.type === "text") this.#inLine = !String(content["text"]).endsWith("\n");
    return this.#send(role, content);
  }

  #check(): void {
    this.#turn.check("chat/contentReceived");
  }

  #endThought(): void {
    if (this.#thought === undefined) return;
    const { id, since, close } = this.#thought;
    this.#thought = undefined;
    close();
    void this.#send("assistant", { type: "reasonFinished", id, totalTimeMs: Math.round(performance.now() - since) });
  }

  #send(role: ChatRole, content: ChatContent): void | Promise<void> {
    const { session, requestId, send } = this.#options;
    const sent = send({ chatId: session.id, role, content, ...(requestId === undefined ? {} : { requestId }) });
    session.keep(role, content); // after the send: what does not fit is not kept
    return sent;
  }
}

function noticeOf(outcome: TurnOutcome<void>, onError: (error: unknown) => void): string | undefined {
  if (outcome.type === "cancelled") return "\nPrompt stopped";
  if (outcome.type === "returned") return undefined;
  const { error } = outcome;
  if (!isRemoteError(error) && !isWireError(error, "closed")) onError(error);
  return RemoteError.of(error).message;
}

/** Without the client, there is nobody to send to. */
function ignoreLostClient(action: () => unknown): void {
  try {
    action();
  } catch (error) {
    if (!isWireError(error, "closed") && !isWireError(error, "overloaded")) throw error;
  }
}
