import type { Transport } from "@editwire/transport";
import { hostConnection } from "./connection.js";
import type { HostConnection, HostContext } from "./context.js";
import { HostDispatcher } from "./dispatch.js";
import { HostEvents } from "./events.js";
import { HostKeeper } from "./keeper.js";
import { HostRequests } from "./requests.js";
import { type HostSession, HostSessions } from "./sessions.js";
import { hostClosed } from "./interaction.js";
import { Mailbox } from "./mailbox.js";

/**
 * One agent id: its sessions, and the connection that it has now. It is an actor: its mailbox does one thing after
 * another, and everything that changes a session runs there.
 */
export class HostLink {
  readonly agentId: string;
  readonly context: HostContext;
  readonly sessions: HostSessions;
  readonly keeper: HostKeeper;
  readonly dispatcher: HostDispatcher;
  readonly requests: HostRequests;
  connection: HostConnection | undefined;
  /** Names the process that dialed the connection, where the agent gave such a name. */
  instance: string | undefined;
  isClosed = false;
  readonly #events: HostEvents;
  readonly #mailbox: Mailbox;
  readonly #onIdle: (link: HostLink) => void;
  #isLoaded = false;

  /** `onIdle` is called when the link may have become idle. */
  constructor(agentId: string, context: HostContext, onIdle: (link: HostLink) => void) {
    this.agentId = agentId;
    this.context = context;
    this.#onIdle = onIdle;
    this.sessions = new HostSessions(agentId, context, () => this.connection !== undefined);
    this.keeper = new HostKeeper(this);
    this.dispatcher = new HostDispatcher(this);
    this.#events = new HostEvents(this);
    this.requests = new HostRequests(this, this.#events);
    this.#mailbox = new Mailbox(
      (error) => context.report(error),
      () => onIdle(this),
    );
  }

  /** No connection, no work, no waiting interaction, and no session with a subscriber. */
  get isIdle(): boolean {
    if (this.connection !== undefined || !this.#mailbox.isIdle) return false;
    for (const session of this.sessions) if (!session.isIdle) return false;
    return true;
  }

  /** Does it after everything before it, once the sessions are loaded. Errors go to `onError`. */
  run(work: () => void | Promise<void>): void | Promise<void> {
    return this.#mailbox.run(() => (this.#isLoaded ? work() : this.#loadBefore(work)));
  }

  /** The same for a caller: the promise has the result, or rejects with the error. */
  ask<T>(work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      void this.#mailbox.run(async () => {
        try {
          if (!this.#isLoaded) await this.#load();
          resolve(await work());
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }

  /** Takes a new connection of the agent. The connection before is closed, and its further messages are ignored. */
  attach(transport: Transport, instance: string | undefined): void {
    const before = this.connection;
    const connection = hostConnection(transport, this.context, (handle) =>
      this.run(() => (this.connection === connection ? handle(this.#events) : undefined)),
    );
    if (this.isClosed) return void connection.close();
    this.connection = connection;
    this.instance = instance;
    void before?.close();
    void connection.closed.then((reason) => this.#lost(connection, reason));
    this.context.tell({ type: "connected", agentId: this.agentId });
    const greet = (): void => {
      if (this.connection === connection) this.dispatcher.greet(connection);
      this.#changed();
    };
    // Nothing can be done for an agent whose sessions cannot be loaded; it dials again.
    this.ask(greet).catch((error: unknown) => this.drop(connection, error));
  }

  dispatch(session: HostSession): void {
    this.dispatcher.dispatch(session);
  }

  /** Closes a connection that failed. */
  drop(connection: HostConnection, error: unknown): void {
    this.context.report(error);
    void connection.close();
    this.#lost(connection, error as Error);
  }

  /** A listener of a session is gone. */
  released(): void {
    this.#onIdle(this);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.dispatcher.stop();
    for (const session of this.sessions) {
      for (const interaction of session.open) interaction.fail(hostClosed());
      session.queue.length = 0;
      session.foreign = undefined;
    }
    await this.connection?.close();
    await this.#mailbox.run(() => {}); // what is being saved
    this.#onIdle(this);
  }

  async #load(): Promise<void> {
    await this.keeper.load();
    this.#isLoaded = true;
  }

  async #loadBefore(work: () => void | Promise<void>): Promise<void> {
    await this.#load();
    await work();
  }

  #changed(): void {
    for (const session of this.sessions) session.state.changed();
  }

  #lost(connection: HostConnection, reason: Error): void {
    if (this.connection !== connection) return;
    this.connection = undefined;
    this.dispatcher.stop();
    this.#changed();
    this.context.tell({ type: "disconnected", agentId: this.agentId, reason });
    void this.run(() => this.#events.disconnected());
  }
}
