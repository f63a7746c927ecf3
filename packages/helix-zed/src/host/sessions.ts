import type { HostContext } from "./context.js";
import type { Interaction } from "./interaction.js";
import type { HelixZedInteraction, HelixZedSessionRecord } from "./records.js";
import { SessionState } from "./session-state.js";

/** A session that this host works with, in memory. */
export class HostSession {
  readonly id: string;
  readonly agentId: string;
  threadId: string | undefined;
  title: string | undefined;
  /** The store has it. */
  saved = false;
  /** The interactions that wait, oldest first. */
  readonly queue: Interaction[] = [];
  /** The interaction that the user began on the agent's side, while it runs. */
  foreign: { readonly messageId: string; readonly interaction: Interaction } | undefined;
  readonly state: SessionState;

  constructor(record: HelixZedSessionRecord, context: HostContext, connected: () => boolean) {
    this.id = record.id;
    this.agentId = record.agentId;
    this.threadId = record.threadId;
    this.title = record.title;
    const live = () => ({ threadId: this.threadId, title: this.title, connected: connected(), open: this.#open() });
    this.state = new SessionState(live, (error) => context.report(error));
  }

  get record(): HelixZedSessionRecord {
    const { id, agentId, threadId, title } = this;
    return { id, agentId, threadId, title };
  }

  /** The interactions that have not ended. */
  get open(): Interaction[] {
    return this.foreign === undefined ? this.queue : [this.foreign.interaction, ...this.queue];
  }

  /** The interaction that an event without a request belongs to: the one that was sent last. */
  get current(): Interaction | undefined {
    const sent = this.queue.findLast(({ sentOn, ending }) => sentOn !== undefined && ending === undefined);
    return sent ?? this.foreign?.interaction;
  }

  /** No interaction waits, and the session has no subscriber. */
  get isIdle(): boolean {
    return this.queue.length === 0 && this.foreign === undefined && !this.state.isWatched;
  }

  /** Removes an interaction that ended. */
  remove(interaction: Interaction): void {
    if (this.foreign?.interaction === interaction) this.foreign = undefined;
    const place = this.queue.indexOf(interaction);
    if (place >= 0) this.queue.splice(place, 1);
  }

  #open(): HelixZedInteraction[] {
    return this.open.map(({ record }) => record);
  }
}

/** An interaction that the agent was asked for. */
export interface Sent {
  readonly session: HostSession;
  readonly interaction: Interaction;
}

/** The sessions of one agent, by id, by thread, and by the requests that are on their way. */
export class HostSessions {
  readonly #agentId: string;
  readonly #context: HostContext;
  readonly #connected: () => boolean;
  readonly #byId = new Map<string, HostSession>();
  readonly #byThread = new Map<string, HostSession>();
  readonly #sent = new Map<string, Sent>();
  /** The requests that ended here while an agent that may have them was away. */
  #toCancel: string[] = [];

  constructor(agentId: string, context: HostContext, connected: () => boolean) {
    this.#agentId = agentId;
    this.#context = context;
    this.#connected = connected;
  }

  [Symbol.iterator](): IterableIterator<HostSession> {
    return this.#byId.values();
  }

  get(id: string): HostSession | undefined {
    return this.#byId.get(id);
  }

  /** The session of this id, made if there is none. */
  of(id: string): HostSession {
    return this.get(id) ?? this.add({ id, agentId: this.#agentId, threadId: undefined, title: undefined });
  }

  add(record: HelixZedSessionRecord): HostSession {
    const session = new HostSession(record, this.#context, this.#connected);
    this.#byId.set(session.id, session);
    if (session.threadId !== undefined) this.#byThread.set(session.threadId, session);
    return session;
  }

  remove(session: HostSession): void {
    this.map(session, undefined);
    this.#byId.delete(session.id);
  }

  clear(): void {
    for (const map of [this.#byId, this.#byThread, this.#sent]) map.clear();
  }

  byThread(threadId: string | undefined): HostSession | undefined {
    return threadId === undefined || threadId === "" ? undefined : this.#byThread.get(threadId);
  }

  /** Maps a session to a thread, or to none. */
  map(session: HostSession, threadId: string | undefined): void {
    if (session.threadId !== undefined && this.#byThread.get(session.threadId) === session)
      this.#byThread.delete(session.threadId);
    session.threadId = threadId;
    if (threadId !== undefined) this.#byThread.set(threadId, session);
  }

  /** The interaction that was sent under a request id and is not answered yet. */
  inFlight(requestId: string): Sent | undefined {
    return this.#sent.get(requestId);
  }

  sent(session: HostSession, interaction: Interaction): void {
    this.#sent.set(interaction.requestId, { session, interaction });
  }

  answered(interaction: Interaction): void {
    this.#sent.delete(interaction.requestId);
  }

  /** Keeps a request that the agent has to cancel when it comes back. */
  cancelLater(requestId: string): void {
    this.#toCancel.push(requestId);
  }

  /** The requests to cancel; they are given once. */
  takeCancels(): readonly string[] {
    const taken = this.#toCancel;
    this.#toCancel = [];
    return taken;
  }
}
