import type { AcpParams, AcpResult } from "@editwire/acp-schema";
import { WireError } from "@editwire/core";
import { type AskOptions, EarlyMessages } from "@editwire/session";
import type { ClientLink } from "./link.js";
import type { AcpPermissionQuestion } from "./permission.js";
import { ClientSession } from "./session.js";
import type { AcpSession } from "./session-api.js";

/** The sessions of each client, by its connection; for the entry points of this package. */
export const sessionsOf = new WeakMap<object, ClientSessions>();

/** The sessions of a client. They get what is received, also what overtakes the answer that opens them. */
export class ClientSessions {
  readonly link: ClientLink;
  readonly #sessions = new Map<string, ClientSession>();
  /** The session of the last update: to compare its id takes a fraction of the time that the map needs to hash one. */
  #recent: ClientSession | undefined;
  readonly #early: EarlyMessages<AcpParams<"session/update">["update"]>;

  constructor(link: ClientLink) {
    this.link = link;
    this.#early = new EarlyMessages({
      id: "unknown-session",
      method: "session/update",
      subject: "session",
      onDiagnostic: link.onDiagnostic,
    });
  }

  /**
   * Opens a session. Rejects with `WireError("invalid_result")` when the agent gives it the id of an open one, unless
   * that was asked for: the session then stays the same object.
   */
  open(
    params: AcpParams<"session/new">,
    options: AskOptions,
    method: "session/new" | "session/fork" = "session/new",
  ): Promise<ClientSession> {
    return this.#early.during(async () => {
      const result = await this.link.ask(method as "session/new", params, options); // both have one form
      const session = this.#sessions.get(result.sessionId) ?? new ClientSession(result.sessionId, result, this.link);
      if (!session.isAsked && !asksFor(params, session.id)) throw sameId(method, session.id);
      session.answered(result);
      session.roots = rootsIn(params);
      this.#sessions.set(session.id, session);
      this.#recent = undefined;
      for (const update of this.#early.take(session.id)) void session.receive(update);
      return session;
    });
  }

  /** Loads a session. A session that is open stays the same object. */
  load(params: AcpParams<"session/load">, options: AskOptions): Promise<ClientSession> {
    return this.#restore(params, (session) => session.load(() => this.link.ask("session/load", params, options)));
  }

  /** Resumes a session: as a load, but the agent replays nothing. */
  resume(params: AcpParams<"session/resume">, options: AskOptions): Promise<ClientSession> {
    return this.#restore(params, (session) => session.resume(() => this.link.ask("session/resume", params, options)));
  }

  async #restore(
    params: AcpParams<"session/resume">,
    restore: (session: ClientSession) => Promise<void>,
  ): Promise<ClientSession> {
    const { sessionId } = params;
    const known = this.#sessions.get(sessionId);
    const session = known ?? new ClientSession(sessionId, {}, this.link);
    this.#sessions.set(sessionId, session);
    const before = session.roots;
    session.roots = rootsIn(params);
    try {
      await restore(session);
    } catch (error) {
      session.roots = before;
      if (known === undefined) this.delete(session);
      throw error;
    }
    return session;
  }

  get(sessionId: string | undefined): ClientSession | undefined {
    return sessionId === undefined ? undefined : this.#sessions.get(sessionId);
  }

  /** Forgets a session. */
  delete(session: AcpSession): void {
    if (this.#sessions.get(session.id) === session) this.#sessions.delete(session.id);
    this.#recent = undefined;
  }

  /** Takes an update whose message has `chars` characters. */
  receive({ sessionId, update }: AcpParams<"session/update">, chars: number): void | Promise<void> {
    if (this.#recent?.id !== sessionId) this.#recent = this.#sessions.get(sessionId);
    const session = this.#recent;
    const isOpen = session !== undefined && !session.isAsked; // what overtakes an answer waits for it
    return isOpen ? session.receive(update, chars) : this.#early.keep(sessionId, update);
  }

  /**
   * Answers a permission request, also for a session that was opened without a helper or whose answer has not come yet:
   * until then it can be cancelled, and then it is unknown again, so that no agent fills the map with ids.
   */
  async decide(
    request: AcpParams<"session/request_permission">,
    closed: AbortSignal,
  ): Promise<AcpResult<"session/request_permission">> {
    const session = this.#sessions.get(request.sessionId) ?? new ClientSession(request.sessionId, {}, this.link);
    this.#sessions.set(session.id, session);
    try {
      return await session.decide(request as AcpPermissionQuestion, closed);
    } finally {
      if (session.isAsked && session.permissions.length === 0) this.delete(session);
    }
  }

  /** Cancels the session's turn and answers its permission requests. Returns true when that sent the cancel. */
  async cancel(sessionId: string): Promise<boolean> {
    return (await this.#sessions.get(sessionId)?.cancelAll()) ?? false;
  }

  /** Cancels every running turn, before the connection is closed. */
  async cancelToClose(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.cancelToClose()));
  }
}

/** Whether `_meta` names a session to take up again, as the option `resume` of claude-agent-acp does. */
function asksFor({ _meta = {} }: AcpParams<"session/new">, sessionId: string): boolean {
  return JSON.stringify(_meta).includes(JSON.stringify(sessionId));
}

/** The updates of two sessions of one id could not be told apart. */
function sameId(method: string, sessionId: string): WireError {
  const message = `${method}: the agent answered with the id of a session that is open already, ${sessionId}`;
  return new WireError("invalid_result", message);
}

/** The folders of a session. */
function rootsIn({
  cwd,
  additionalDirectories = [],
}: Pick<AcpParams<"session/new">, "cwd" | "additionalDirectories">): string[] {
  return [cwd, ...additionalDirectories];
}
