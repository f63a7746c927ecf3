import { type Listeners, readPages, type SessionLog, type SessionRecord, type SessionStore } from "@editwire/session";
import type { AgentLoadedSession, SessionSummary } from "../api/definition.js";
import type { AgentEvent, AgentUsage } from "../api/events.js";
import type { HubSession } from "./session.js";
import type { SessionStart } from "../api/session.js";
import { isEnd } from "../api/tool-call-state.js";

/**
 * Keeps the sessions of an agent in a store. A tool call is in it once for each time that it was kept; a session takes
 * the last state.
 */
export class KeptSessions {
  readonly #store: SessionStore<AgentEvent>;
  readonly #onError: Listeners["onError"];
  readonly #logs = new WeakMap<HubSession, Promise<SessionLog<AgentEvent>>>();
  /** Logs of sessions that are about to exist, by their id. */
  readonly #opened = new Map<string, SessionLog<AgentEvent>>();

  constructor(store: SessionStore<AgentEvent>, onError: Listeners["onError"]) {
    this.#store = store;
    this.#onError = onError;
  }

  /** Brings a session back; `undefined` for one that the store does not have. */
  async load(
    sessionId: string,
    caller: string | undefined,
  ): Promise<(AgentLoadedSession & { cwd: string }) | undefined> {
    const log = await this.#store.open({ sessionId, caller });
    if (log === undefined) return undefined;
    this.#opened.set(sessionId, log);
    const { cwd, title, data } = log.record;
    const usage = data?.["usage"] as AgentUsage | undefined;
    const events = (await log.entries()).map(ended);
    return { cwd, title, events: usage === undefined ? events : [...events, { type: "usage", usage }] };
  }

  /** Keeps a session that exists now. */
  keep(session: HubSession): void {
    const { id: sessionId, caller, cwd, title } = session;
    const opened = this.#opened.get(sessionId);
    this.#opened.delete(sessionId);
    const log =
      opened === undefined ? this.#store.create({ sessionId, caller }, { cwd, title }) : Promise.resolve(opened);
    log.catch((error: unknown) => this.#onError(error, "store"));
    this.#logs.set(session, log);
  }

  /** Adds events. A failure is reported, and the session goes on. */
  async add(session: HubSession, events: readonly AgentEvent[], isTurnEnd: boolean): Promise<void> {
    try {
      const log = await this.#logs.get(session);
      if (log === undefined) return;
      await log.append(events);
      if (log.record.title !== session.listedTitle) await log.change({ title: session.listedTitle });
      if (isTurnEnd && session.usage !== undefined) await log.change({ data: { usage: session.usage } });
      if (isTurnEnd) await log.flush();
    } catch (error) {
      this.#onError(error, "store");
    }
  }

  async list(caller: string | undefined): Promise<SessionSummary[]> {
    const found = await readPages<SessionRecord>(
      async (cursor) => {
        const { sessions, nextCursor } = await this.#store.list({ caller, cursor });
        return { items: sessions, nextCursor };
      },
      ({ sessionId }) => sessionId,
    );
    return found.map(({ sessionId, cwd, title, updatedAt }) => {
      return { sessionId, cwd, title, updatedAt: Date.parse(updatedAt) };
    });
  }

  delete(sessionId: string, caller: string | undefined): Promise<void> {
    return this.#store.delete({ sessionId, caller });
  }
}

/** A tool call that runs was given up with the process that ran it. */
function ended(event: AgentEvent): AgentEvent {
  if (event.type !== "tool_call" || isEnd(event.toolCall.status)) return event;
  return { ...event, toolCall: { ...event.toolCall, status: "failed" } };
}

/** Where a session that was brought back works: where the editor says, else where it worked before. */
export function startIn(start: SessionStart | undefined, cwd: string): SessionStart {
  return { ...start, cwd: start?.cwd ?? cwd };
}
