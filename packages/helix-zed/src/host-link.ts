import { WireError } from "@editwire/core";
import { helixZedProfiles, type HelixZedTraits } from "@editwire/helix-zed-schema";
import type { Transport } from "@editwire/transport";
import { Answer } from "./answer.js";
import { type HostConnection, hostConnection } from "./host-connection.js";
import { HostEvents } from "./host-events.js";
import type { HelixEvent, HelixHostOptions } from "./host-options.js";
import { HostSession } from "./host-session.js";
import { hostClosed, Interaction } from "./interaction.js";
import { Mailbox } from "./mailbox.js";
import type { InteractionRecord, SessionStore } from "./records.js";
import { after, startTimer } from "./timers.js";

type Done = void | Promise<void>;
type Ending = Parameters<Interaction["ended"]>[0];

/** A message to open an interaction with. */
interface Opening {
  readonly requestId: string;
  readonly message: string;
  readonly interrupt: boolean;
  readonly agentName?: string | undefined;
}

/** An interaction that the agent was asked for. */
export interface Sent {
  readonly session: HostSession;
  readonly interaction: Interaction;
}

/** Everything about one agent id: its sessions, and the connection that it has now. One thing happens at a time. */
export class HostLink {
  readonly agentId: string;
  readonly sessions = new Map<string, HostSession>();
  /** What the dialect can say. */
  readonly traits: HelixZedTraits;
  readonly #options: HelixHostOptions;
  readonly #store: SessionStore;
  readonly #events: HostEvents;
  readonly #mailbox: Mailbox;
  /** Sessions by their threads, and interactions by their request ids: a connection may carry many of both. */
  readonly #threads = new Map<string, HostSession>();
  readonly #sent = new Map<string, Sent>();
  readonly #hold: (link: HostLink, isBusy: boolean) => void;
  #connection: HostConnection | undefined;
  /** Interactions that wait, in all sessions. */
  #waiting = 0;
  #isLoaded = false;
  #isReady = false;
  #stopWaiting = (): void => {};
  #closed = false;

  /** `hold` is told whenever there begins or ceases to be something to do: an agent that is connected, an interaction that waits. */
  constructor(
    agentId: string,
    store: SessionStore,
    options: HelixHostOptions,
    hold: (link: HostLink, isBusy: boolean) => void,
  ) {
    this.agentId = agentId;
    this.#store = store;
    this.#options = options;
    this.#hold = hold;
    this.traits = (options.profile ?? helixZedProfiles.spec).traits;
    this.#events = new HostEvents(this, options);
    this.#mailbox = new Mailbox((error) => this.report(error));
    void this.#mailbox.run(() => this.#loaded(() => {}));
  }

  get connected(): boolean {
    return this.#connection !== undefined;
  }

  /** The session of this id, made if there is none. */
  session(id: string): HostSession {
    let session = this.sessions.get(id);
    if (session === undefined) this.sessions.set(id, (session = new HostSession(id, this)));
    return session;
  }

  byThread(threadId: string | undefined): HostSession | undefined {
    return threadId === undefined || threadId === "" ? undefined : this.#threads.get(threadId);
  }

  /** The interaction that was sent under a request id and is not answered yet. */
  inFlight(requestId: string): Sent | undefined {
    return this.#sent.get(requestId);
  }

  /** Takes a new connection of the agent; the one before is closed, and what still comes of it is ignored. */
  attach(transport: Transport): void {
    const before = this.#connection;
    const connection = hostConnection(transport, this.#options, (handle) =>
      this.#mailbox.run(() => (this.#connection === connection ? this.#loaded(() => handle(this.#events)) : undefined)),
    );
    if (this.#closed) return void connection.close();
    this.#connection = connection;
    this.#holdWhileBusy();
    this.#isReady = !this.traits.readiness;
    void before?.close();
    void connection.closed.then((reason) => this.#lost(connection, reason));
    this.tell({ type: "connected", agentId: this.agentId });
    // Without its sessions nothing can be done for it; it dials again.
    void this.#mailbox.run(() =>
      this.#protect(
        () => this.#loaded(() => this.#greet(connection)),
        (error) => this.#drop(connection, error),
      ),
    );
  }

  /** The agent takes messages from now on. */
  ready(): void {
    this.#stopWaiting();
    if (this.#isReady) return;
    this.#isReady = true;
    for (const session of this.sessions.values()) this.#dispatch(session);
  }

  /** Opens an interaction, or finds the one of this request id. */
  open(session: HostSession, opening: Opening): Promise<Interaction> {
    return this.#closed ? Promise.reject(hostClosed()) : this.#ask((found) => this.#open(session, opening, found));
  }

  cancel(session: HostSession, interaction: Interaction): Promise<void> {
    const { requestId } = interaction;
    return this.#ask((done) => {
      if (!session.queue.includes(interaction)) return done();
      if (interaction.sentOn === undefined)
        return after(this.end(session, interaction, { state: "interrupted" }), done);
      if (!this.traits.cancel)
        throw new WireError(
          "invalid_params",
          `cancel: ${requestId} was sent, and the profile "spec" cannot cancel; the profile "v2026" can`,
        );
      this.#send("cancel_current_turn", { request_id: requestId });
      done();
    });
  }

  history(session: HostSession): Promise<readonly InteractionRecord[]> {
    return this.#ask((read) => after(this.#store.interactions(session.id), read));
  }

  bind(session: HostSession, threadId: string | undefined): Promise<void> {
    return this.#ask((done) => after(this.map(session, threadId), done));
  }

  /** Maps a session to a thread, durably. */
  map(session: HostSession, threadId: string | undefined): Done {
    this.#bindThread(session, threadId);
    return after(this.#save(session), () => {
      this.tell({ type: "thread", session });
      this.#dispatch(session);
    });
  }

  rename(session: HostSession, title: string): Done {
    session.title = title;
    return after(this.#save(session), () => this.tell({ type: "title", session }));
  }

  /** Ends an interaction, durably, and lets the next one go. */
  end(session: HostSession, interaction: Interaction, ending: Ending): Done {
    const record = interaction.ended(ending);
    interaction.stopWatching();
    const leave = (): void => {
      const place = session.queue.indexOf(interaction);
      if (place >= 0) this.#waiting -= session.queue.splice(place, 1).length;
      this.#sent.delete(interaction.requestId);
      this.#holdWhileBusy();
    };
    const fail = (error: unknown): void => {
      leave();
      interaction.fail(error);
      this.report(error);
    };
    const saved = (): void => {
      leave();
      interaction.publish(record);
    };
    return after(
      this.#protect(() => after(this.#store.saveInteraction(record), saved), fail),
      () => this.#dispatch(session),
    );
  }

  tell(event: HelixEvent): void {
    try {
      this.#options.onEvent?.(event);
    } catch (error) {
      this.report(error);
    }
  }

  report(error: unknown): void {
    try {
      this.#options.onError?.(error, undefined);
    } catch {
      // A listener looks on; it may not break what it looks at.
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopWaiting();
    this.#sent.clear();
    for (const interaction of [...this.sessions.values()].flatMap(({ queue }) => queue.splice(0))) {
      interaction.stopWatching();
      interaction.fail(hostClosed());
    }
    this.#waiting = 0;
    await this.#connection?.close();
    await this.#mailbox.run(() => {}); // what is being saved
    this.#holdWhileBusy();
  }

  /** Asks for something in its turn; the promise rejects with what it throws. */
  #ask<T>(work: (resolve: (value: T) => void) => Done): Promise<T> {
    return new Promise((resolve, reject) => {
      void this.#mailbox.run(() => this.#protect(() => this.#loaded(() => work(resolve)), reject));
    });
  }

  /** Goes on once the sessions are known. Where the store failed it is asked again: it may hold more than a new session would leave of it. */
  #loaded(work: () => Done): Done {
    return this.#isLoaded ? work() : after(this.#load(), work);
  }

  #load(): Done {
    return after(this.#store.load(this.agentId), (stored) => {
      this.#isLoaded = true;
      for (const { id, threadId, title, waiting } of stored) {
        const session = this.session(id);
        session.saved = true;
        this.#bindThread(session, threadId);
        session.title = title;
        this.#enqueue(session, ...waiting.map((record) => new Interaction(record, this.#answer(record))));
      }
    });
  }

  #enqueue(session: HostSession, ...interactions: Interaction[]): void {
    session.queue.push(...interactions);
    this.#waiting += interactions.length;
    this.#holdWhileBusy();
  }

  #holdWhileBusy(): void {
    this.#hold(this, this.#connection !== undefined || this.#waiting > 0);
  }

  #bindThread(session: HostSession, threadId: string | undefined): void {
    if (session.threadId !== undefined && this.#threads.get(session.threadId) === session)
      this.#threads.delete(session.threadId);
    session.threadId = threadId;
    if (threadId !== undefined) this.#threads.set(threadId, session);
  }

  #open(
    session: HostSession,
    { requestId, message, interrupt, agentName }: Opening,
    found: (interaction: Interaction) => void,
  ): Done {
    if (this.#closed) throw hostClosed();
    const live = session.queue.find((interaction) => interaction.requestId === requestId);
    if (live !== undefined) return found(live);
    return after(this.#store.interaction(requestId), (known) => {
      if (known !== undefined && known.sessionId !== session.id)
        throw new WireError("invalid_params", `send: the request id ${requestId} belongs to another session`);
      if (known !== undefined && known.state !== "waiting") return found(new Interaction(known, this.#answer(known)));
      const record: InteractionRecord = {
        sessionId: session.id,
        requestId,
        message,
        state: "waiting",
        messages: [],
        createdAt: Date.now(),
        ...(agentName === undefined ? {} : { agentName }),
      };
      const interaction = new Interaction(known ?? record, this.#answer(known ?? record), interrupt);
      const save = (): Done => after(this.#store.saveInteraction(interaction.record), enqueue);
      const enqueue = (): void => {
        if (this.#closed) interaction.fail(hostClosed());
        else this.#enqueue(session, interaction);
        found(interaction);
        this.#dispatch(session);
      };
      return session.saved ? save() : after(this.#save(session), save);
    });
  }

  #answer({ messages }: InteractionRecord): Answer {
    const { maxMessages = 10_000, maxAnswerLength = 64 * 1024 * 1024 } = this.#options;
    return new Answer({ maxMessages, maxLength: maxAnswerLength }, messages);
  }

  #save(session: HostSession): Done {
    const { id, agentId, threadId, title } = session;
    return after(this.#store.saveSession({ id, agentId, threadId, title }), () => void (session.saved = true));
  }

  /** Tells a new connection what waits. */
  #greet(connection: HostConnection): void {
    if (this.#connection !== connection) return;
    if (!this.#isReady) {
      const { readyTimeoutMs = 60_000 } = this.#options;
      this.#stopWaiting();
      this.#stopWaiting = startTimer(
        readyTimeoutMs,
        () => void this.#mailbox.run(() => (this.#connection === connection ? this.ready() : undefined)),
      );
    }
    for (const session of this.sessions.values()) {
      if (this.traits.agents && session.threadId !== undefined && session.queue.length > 0)
        this.#send("open_thread", { acp_thread_id: session.threadId });
      this.#dispatch(session);
    }
  }

  /** Sends the oldest waiting interaction, once on each connection, and those that interrupt it. */
  #dispatch(session: HostSession): void {
    const connection = this.#connection;
    if (connection === undefined || !this.#isReady) return;
    for (const [place, interaction] of session.queue.entries()) {
      if (interaction.sentOn === connection) continue;
      if (place > 0 && !(interaction.interrupt && session.threadId !== undefined)) continue;
      interaction.sentOn = connection;
      this.#sent.set(interaction.requestId, { session, interaction });
      this.#send("chat_message", interaction.chat(session.threadId));
      this.#watch(session, interaction);
    }
  }

  #send: HostConnection["notify"] = (name, params) => {
    const connection = this.#connection;
    try {
      return connection?.notify(name, params);
    } catch (error) {
      if (connection !== undefined) this.#drop(connection, error); // what waits is sent again on the next one
    }
  };

  #drop(connection: HostConnection, error: unknown): void {
    this.report(error);
    void connection.close();
    this.#lost(connection, error as Error);
  }

  /** Ends an interaction of which a connected agent has not said a word for too long. */
  #watch(session: HostSession, interaction: Interaction): void {
    const { answerTimeoutMs = 7_200_000 } = this.#options;
    const { sentOn } = interaction;
    interaction.heardAt = performance.now();
    const look = (): void => {
      if (this.#connection !== sentOn) return; // it is sent, and watched, again
      const left = interaction.heardAt + answerTimeoutMs - performance.now();
      if (left > 0) interaction.stopWatching = startTimer(left, look);
      else void this.#mailbox.run(expire);
    };
    const expire = (): Done => {
      if (session.queue.includes(interaction))
        return this.end(session, interaction, {
          state: "error",
          error: `the agent said nothing for ${answerTimeoutMs} ms`,
        });
    };
    interaction.stopWatching();
    interaction.stopWatching = startTimer(answerTimeoutMs, look);
  }

  #lost(connection: HostConnection, reason: Error): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#holdWhileBusy();
    this.#stopWaiting();
    this.tell({ type: "disconnected", agentId: this.agentId, reason });
  }

  /** Runs work whose failure somebody else has to hear of. */
  #protect(work: () => Done, failed: (error: unknown) => void): Done {
    try {
      return work()?.catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}
