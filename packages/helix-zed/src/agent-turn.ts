import { WireError } from "@editwire/core";
import type { ChatMessageParams, Usage } from "@editwire/helix-zed-schema";
import type { AgentLink } from "./agent-link.js";
import { AgentMessage, type ZedMessage } from "./agent-message.js";
import { maxMessageLength } from "./message-length.js";
import { startTimer } from "./timers.js";

/** A tool call among the messages of an answer; only the dialect 2026 tells the host of it. */
export interface ZedToolCall {
  readonly id: string;
  /** Adds to what the host shows of the call, and says how it stands, such as `Running`, `Completed` or `Failed`. */
  update(change: { append?: string | undefined; status?: string | undefined }): void | Promise<void>;
}

/** One message of the user, to be answered. After the handler has returned, everything here throws `WireError("closed")`. */
export interface ZedTurn {
  readonly threadId: string;
  /** The host's session; it is known for the turn only. */
  readonly sessionId: string;
  readonly requestId: string;
  /** What the user said. */
  readonly message: string;
  /** 2026: which agent the host asks for. */
  readonly agentName: string | undefined;
  /** Aborts when the host cancels the turn or the agent is closed. A lost connection does not abort it. */
  readonly signal: AbortSignal;
  /** Adds to the answer's last message, and begins one if there is none. A promise comes back only when the host is slow. Throws `too_large` beyond 10 Mi characters. */
  append(text: string): void | Promise<void>;
  /** Begins a further message of the answer. */
  startMessage(): ZedMessage;
  /** Begins a tool call; `append` then begins a new message. */
  toolCall(name: string, status?: string): ZedToolCall;
}

/** How a turn ended. */
export type TurnEnd =
  | { readonly type: "completed"; readonly usage?: Usage | undefined }
  | { readonly type: "failed"; readonly error: string }
  | { readonly type: "unloadable"; readonly error: string };

/** A `ZedTurn` with what is known of which connection has heard what. */
export class AgentTurn implements ZedTurn {
  readonly chat: ChatMessageParams;
  threadId: string;
  /** The thread was created for this turn, and the host has to learn of it. */
  created = false;
  end: TurnEnd | undefined;
  /** The connection that heard of the end. */
  endedOn: object | undefined;
  readonly #controller = new AbortController();
  readonly #link: AgentLink;
  readonly #flushMs: number;
  readonly #messages: AgentMessage[] = [];
  /** The messages that the connection of `#sentOn` does not have as they are now. */
  readonly #unsent = new Set<AgentMessage>();
  #sentOn: object | undefined;
  #announcedOn: object | undefined;
  #flushedAt = -Infinity;
  #stopTimer: (() => void) | undefined;
  #room: Promise<void> | undefined;

  constructor(chat: ChatMessageParams, link: AgentLink, flushMs: number) {
    this.chat = chat;
    this.threadId = chat.acp_thread_id ?? "";
    this.#link = link;
    this.#flushMs = flushMs;
  }

  get sessionId(): string {
    return this.chat.helix_session_id;
  }

  get requestId(): string {
    return this.chat.request_id;
  }

  get message(): string {
    return this.chat.message;
  }

  get agentName(): string | undefined {
    return this.chat.agent_name;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Characters of the answer so far. */
  get length(): number {
    return this.#messages.reduce((length, { content }) => length + content.length, 0);
  }

  /** It ended, and the dialect has no word for how. */
  get endedInSilence(): boolean {
    return this.end !== undefined && this.#link.isSilent(this.threadId, this.end);
  }

  append(text: string): void | Promise<void> {
    const last = this.#messages.at(-1);
    const message = last === undefined || last.tool !== undefined ? this.#begin(new AgentMessage(this)) : last;
    return this.grow(message, text);
  }

  startMessage(): ZedMessage {
    return this.#begin(new AgentMessage(this));
  }

  toolCall(name: string, status = "Running"): ZedToolCall {
    const tool = { name, status };
    const message = this.#begin(new AgentMessage(this, tool));
    void message.append("");
    return {
      id: message.id,
      update: ({ append = "", status: next = tool.status }) => {
        tool.status = next;
        return message.append(append);
      },
    };
  }

  /** Adds to a message; what is not sent at once leaves with the next update. */
  grow(message: AgentMessage, text: string): void | Promise<void> {
    this.#check();
    if (message.content.length + text.length > maxMessageLength)
      throw new WireError("too_large", `append: a message may not be longer than ${maxMessageLength} characters`);
    message.content += text;
    this.#unsent.add(message);
    if (this.#room !== undefined) return this.#room;
    this.#flushWhenDue();
    return this.#room;
  }

  /** Ends the turn early; the handler is told by its signal. */
  cancel(): void {
    this.#controller.abort(new WireError("aborted", `the turn of ${this.requestId} was cancelled`));
  }

  /** Ends the turn for its handler, and tells the host if it is there. */
  finish(end: TurnEnd): void {
    this.end = end;
    this.#stopTimer?.();
    this.sync();
  }

  /** Tells the connection what it has not heard of this turn: the thread, every message as it is now, the end. */
  sync(): void {
    const connection = this.#link.connection;
    if (connection === undefined) return;
    if (this.created && this.#announcedOn === undefined) this.#announce(connection);
    void this.#send(connection);
    if (this.end === undefined || this.endedOn === connection) return;
    if (this.#link.end(this, this.end, this.#messages.at(-1)?.id)) this.endedOn = connection;
  }

  /**
   * Answers a host that asks again: it lost what an earlier connection had told it. True when there was something to tell.
   * `knowsThread` says whether it has heard of the thread.
   */
  repeat(knowsThread: boolean): boolean {
    const connection = this.#link.connection;
    if (connection === undefined || this.endedOn === connection) return false;
    if (this.created && !knowsThread && this.#announcedOn !== connection) this.#announce(connection);
    this.sync();
    return true;
  }

  #announce(connection: object): void {
    this.#announcedOn = connection;
    this.#link.announce(this);
  }

  #begin(message: AgentMessage): AgentMessage {
    this.#check();
    if (this.#messages.length > 0) this.#flush();
    this.#messages.push(message);
    return message;
  }

  #check(): void {
    if (this.end !== undefined) throw new WireError("closed", `the turn of ${this.requestId} has ended`);
  }

  /** Flushes now, or at the end of `flushMs`. Flushes in between leave the timer alone: there may be very many. */
  #flushWhenDue(): void {
    const wait = this.#flushedAt + this.#flushMs - performance.now();
    if (wait <= 0) return this.#flush();
    this.#stopTimer ??= startTimer(wait, () => {
      this.#stopTimer = undefined;
      if (this.#unsent.size > 0) this.#flushWhenDue();
    });
  }

  #flush(): void {
    const connection = this.#link.connection;
    if (connection === undefined) return;
    this.#flushedAt = performance.now();
    const room = this.#send(connection);
    if (room === undefined) return;
    const go = (): void => {
      this.#room = undefined;
      if (this.end === undefined) this.#flush();
    };
    this.#room = room.then(go, go);
  }

  /** Sends every message that the connection does not have as it is now. */
  #send(connection: object): Promise<void> | undefined {
    let room: Promise<void> | undefined;
    if (this.#sentOn !== connection) for (const message of this.#messages) this.#unsent.add(message);
    this.#sentOn = connection;
    for (const message of this.#unsent) {
      this.#unsent.delete(message);
      if (message.tool === undefined ? message.content !== "" : this.#link.traits.toolCalls)
        room = this.#link.add(message.update()) ?? room;
    }
    return room;
  }
}
