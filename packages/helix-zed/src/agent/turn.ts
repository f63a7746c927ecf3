import { validatorOf, WireError } from "@editwire/core";
import { type HelixZedParams, type HelixZedTraits, Usage } from "@editwire/helix-zed-schema";
import { startTimer } from "@editwire/core/timers";
import { AnsweredTurn } from "@editwire/session";
import type { AgentLink, TurnEnd } from "./link.js";
import { AgentMessage, type HelixZedMessage } from "./message.js";
import { maxMessageLength } from "./message-length.js";
import type { HelixZedAgentTurn, HelixZedNewToolCall, HelixZedToolCall, HelixZedToolCallChange } from "./api.js";

/** A turn with what is known of which connection got what. */
export class AgentTurn implements HelixZedAgentTurn {
  readonly chat: HelixZedParams<"chat_message">;
  /** Its signal, its end, and how its handler runs. */
  readonly machine: AnsweredTurn;
  threadId: string;
  /** The thread was created for this turn, and must be announced to the host. */
  created = false;
  end: TurnEnd | undefined;
  /** The connection that got the end. */
  endedOn: object | undefined;
  /** The usage of the turn. */
  cost: Usage | undefined;
  readonly #link: AgentLink;
  readonly #flushMs: number;
  readonly #messages: AgentMessage[] = [];
  /** The thread's new title, until a connection got it. */
  #title: string | undefined;
  /** The messages that the connection of `#sentOn` does not have as they are now. */
  readonly #unsent = new Set<AgentMessage>();
  #sentOn: object | undefined;
  #announcedOn: object | undefined;
  #flushedAt = -Infinity;
  #stopTimer: (() => void) | undefined;
  #room: Promise<void> | undefined;

  constructor(chat: HelixZedParams<"chat_message">, link: AgentLink, flushMs: number) {
    this.chat = chat;
    this.machine = new AnsweredTurn(`the turn of ${chat.request_id}`);
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

  get promptText(): string {
    return this.chat.message;
  }

  get agentName(): string | undefined {
    return this.chat.agent_name;
  }

  get interactionId(): string | undefined {
    return this.chat.interaction_id ?? undefined;
  }

  get trackCodeChanges(): boolean {
    return this.chat.track_code_changes === true;
  }

  get fromQueue(): boolean {
    return this.chat.from_queue === true;
  }

  get isContinue(): boolean {
    return this.chat.is_continue === true;
  }

  get traits(): HelixZedTraits {
    return this.#link.traits;
  }

  get signal(): AbortSignal {
    return this.machine.signal;
  }

  /** Characters of the answer so far. */
  get length(): number {
    return this.#messages.reduce((length, { content }) => length + content.length, 0);
  }

  text(text: string): void | Promise<void> {
    const last = this.#messages.at(-1);
    const message = last === undefined || last.tool !== undefined ? this.#begin(new AgentMessage(this)) : last;
    return this.grow(message, text);
  }

  startMessage(): HelixZedMessage {
    return this.#begin(new AgentMessage(this));
  }

  toolCall({ title, status = "in_progress" }: HelixZedNewToolCall): HelixZedToolCall {
    const tool = { title, status };
    const message = this.#begin(new AgentMessage(this, tool));
    void message.text("");
    const update = ({ text = "", ...change }: HelixZedToolCallChange): void | Promise<void> => {
      tool.title = change.title ?? tool.title;
      tool.status = change.status ?? tool.status;
      return message.text(text);
    };
    return {
      toolCallId: message.id,
      update,
      complete: (text) => update({ status: "completed", text }),
      fail: (text) => update({ status: "failed", text }),
    };
  }

  usage(usage: Usage): void {
    this.machine.check("usage");
    const validator = validatorOf(Usage);
    if (!validator.fits(usage)) throw new WireError("invalid_params", "usage: expected token counts as whole numbers");
    this.cost = usage;
  }

  title(title: string): void {
    this.machine.check("title");
    this.#title = title;
    this.#sendTitle();
  }

  /** Adds to a message. Text that is not sent at once leaves with the next update. */
  grow(message: AgentMessage, text: string): void | Promise<void> {
    this.machine.check("turn");
    if (message.content.length + text.length > maxMessageLength)
      throw new WireError("too_large", `text: expected a message of at most ${maxMessageLength} characters`);
    message.content += text;
    this.#unsent.add(message);
    if (this.#room !== undefined) return this.#room;
    this.#flushWhenDue();
    return this.#room;
  }

  /** Ends the turn, and sends the end if the host is connected. */
  finish(end: TurnEnd): void {
    this.end = end;
    this.#stopTimer?.();
    // Where there is no message for it, a half answer must not look like a whole one.
    if (end.type === "closed" && !this.traits.errors && this.length > 0) {
      const reason = new AgentMessage(this);
      reason.content = `(${end.error})`;
      this.#messages.push(reason);
      this.#unsent.add(reason);
    }
    this.sync();
  }

  /** Sends what the connection does not have of this turn: the thread, every message as it is now, the end. */
  sync(): void {
    const connection = this.#link.connection;
    if (connection === undefined) return;
    if (this.created && this.#announcedOn === undefined) this.#announce(connection);
    void this.#send(connection);
    this.#sendTitle();
    if (this.end === undefined || this.endedOn === connection) return;
    if (this.#link.end(this, this.end, this.#messages.at(-1)?.id)) this.endedOn = connection;
  }

  /**
   * Answers a host that asks again, because it lost what an earlier connection had sent. True when there was something
   * to send. `knowsThread` says whether the host has the thread.
   */
  repeat(knowsThread: boolean): boolean {
    const connection = this.#link.connection;
    if (connection === undefined || this.endedOn === connection) return false;
    if (this.created && !knowsThread && this.#announcedOn !== connection) this.#announce(connection);
    this.sync();
    return true;
  }

  #sendTitle(): void {
    if (this.#title === undefined || !this.traits.titles) return;
    const ids = { session_id: this.sessionId, acp_thread_id: this.threadId };
    if (this.#link.send("thread_title_changed", { ...ids, title: this.#title }) !== false) this.#title = undefined;
  }

  #announce(connection: object): void {
    this.#announcedOn = connection;
    this.#link.announce(this);
  }

  #begin(message: AgentMessage): AgentMessage {
    this.machine.check("turn");
    if (this.#messages.length > 0) this.#flush();
    this.#messages.push(message);
    return message;
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
      const isSent = message.tool === undefined ? message.content !== "" : this.#link.traits.toolCalls;
      if (isSent) room = this.#link.add(message.update()) ?? room;
    }
    return room;
  }
}
