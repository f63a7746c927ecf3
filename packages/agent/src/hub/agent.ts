import { type ClientCapabilities, mcpServerOf } from "@editwire/acp";
import { RemoteError } from "@editwire/core";
import { checkObject, checkOptions, HistoryMap, type Listeners, safeListeners, shown } from "@editwire/session";
import type { AgentDefinition, SessionSummary } from "../api/definition.js";
import { definitionKinds } from "../api/kinds.js";
import { HubSession } from "./session.js";
import { KeptSessions, startIn } from "./kept-sessions.js";
import type { AgentSession, NewSessionStart, AgentSessionOffer, SessionStart } from "../api/session.js";

/** An agent that several protocols, and several connections of each, can serve at once. They share its sessions. */
export interface Agent extends Listeners {
  readonly definition: AgentDefinition;
  /**
   * Notes an editor, before it is answered for the first time, with what it can do for the agent. Rejects with what
   * `ready` of the definition throws.
   */
  connected(start?: SessionStart, editor?: ClientCapabilities): Promise<void>;
  /** Notes that an editor has gone. */
  disconnected(): Promise<void>;
  /** Opens a session. Rejects with what `newSession` of the definition throws, and with a `TypeError` without `cwd`. */
  newSession(start: NewSessionStart): Promise<AgentSession>;
  /** A session that this process holds, of this caller. */
  session(sessionId: string, caller?: string): AgentSession | undefined;
  /**
   * A session that this process holds, or that the definition brings back; `undefined` for an unknown one. With
   * `start`, the session takes its folders and MCP servers.
   */
  loadSession(sessionId: string, start?: NewSessionStart): Promise<AgentSession | undefined>;
  /** All sessions of a caller, the last used one first. */
  listSessions(caller?: string): Promise<readonly SessionSummary[]>;
  /** Ends and forgets a session; an unknown one is not an error. */
  deleteSession(sessionId: string, caller?: string): Promise<void>;
  /** Cancels every turn and releases what the agent holds. */
  close(): Promise<void>;
}

/** Creates an agent. Throws a `TypeError` for a definition without `prompt`, and for wrong options. */
export function createAgent(definition: AgentDefinition): Agent {
  const name = "createAgent";
  checkObject(name, "the definition", definition);
  if (typeof definition.prompt !== "function")
    throw new TypeError(`${name}: expected a function prompt(turn), received ${shown(definition.prompt)}`);
  checkOptions(name, definition, definitionKinds);
  return new AgentHub(definition);
}

/** The one implementation of `Agent`. */
class AgentHub implements Agent {
  readonly definition: AgentDefinition;
  readonly onDiagnostic: Listeners["onDiagnostic"];
  readonly onError: Listeners["onError"];
  readonly #sessions: HistoryMap<HubSession>;
  readonly #kept: KeptSessions | undefined;
  readonly #loads = new Map<string, Promise<HubSession | undefined>>();
  /** The connections of all protocols. */
  #editors = 0;
  #closing: Promise<void> | undefined;

  constructor(definition: AgentDefinition) {
    this.definition = definition;
    const { onDiagnostic, onError } = safeListeners(definition);
    this.onDiagnostic = onDiagnostic;
    this.onError = onError;
    this.#sessions = new HistoryMap(definition.maxSessions);
    this.#kept = definition.store && new KeptSessions(definition.store, onError);
  }

  async connected(start?: SessionStart, editor?: ClientCapabilities): Promise<void> {
    this.#editors++;
    try {
      await this.definition.ready?.(start, editor);
    } catch (error) {
      await this.disconnected();
      throw error;
    }
  }

  async disconnected(): Promise<void> {
    if (--this.#editors === 0) await this.definition.idle?.();
  }

  async newSession(given: NewSessionStart): Promise<AgentSession> {
    if (typeof given?.cwd !== "string")
      throw new TypeError(`newSession: expected { cwd: "/path" }, received ${shown(given)}`);
    const start = startOf(given);
    const { sessionId, ...offer } = (await this.definition.newSession?.(start)) ?? {};
    const session = this.#add(start.sessionId ?? sessionId ?? crypto.randomUUID(), start, offer);
    await this.definition.opened?.(session);
    return session;
  }

  session(sessionId: string, caller?: string): HubSession | undefined {
    const session = this.#sessions.get(sessionId);
    return session?.caller === caller ? this.#sessions.use(sessionId) : undefined;
  }

  async loadSession(sessionId: string, given?: NewSessionStart): Promise<AgentSession | undefined> {
    const start = given && startOf(given);
    const held = this.session(sessionId, start?.caller);
    if (held !== undefined) {
      if (start !== undefined) held.restart(start);
      return held;
    }
    if (this.#sessions.get(sessionId) !== undefined) return undefined; // it belongs to another caller
    const key = JSON.stringify([sessionId, start?.caller]);
    const running = this.#loads.get(key) ?? this.#load(sessionId, start);
    this.#loads.set(key, running);
    return running.finally(() => this.#loads.delete(key));
  }

  async listSessions(caller?: string): Promise<readonly SessionSummary[]> {
    const held = this.#sessions.all.filter((session) => session.caller === caller && session.listedTitle !== undefined);
    const kept = (await this.#kept?.list(caller)) ?? [];
    const stored = [...kept, ...((await this.definition.listSessions?.(caller)) ?? [])];
    const summaries = new Map(stored.map((summary) => [summary.sessionId, summary]));
    for (const session of held) {
      const { id: sessionId, cwd, listedTitle: title, createdAt, updatedAt, events } = session;
      const messages = events.filter(({ type }) => type === "user" || type === "text").length;
      const running = session.turn !== undefined;
      summaries.set(sessionId, { sessionId, cwd, title, createdAt, updatedAt, messages, running });
    }
    return [...summaries.values()].sort((a, b) => (b.updatedAt ?? 0) - (a.updatedAt ?? 0));
  }

  async deleteSession(sessionId: string, caller?: string): Promise<void> {
    const session = this.session(sessionId, caller);
    if (session === undefined && this.#sessions.get(sessionId) !== undefined) return;
    await session?.deleted();
    if (session !== undefined) this.#sessions.delete(session);
    if (session !== undefined) await this.#released(session);
    await this.#kept?.delete(sessionId, caller);
    await this.definition.deleteSession?.(sessionId);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    await Promise.all(this.#sessions.all.map((session) => session.stopped().then(() => this.#released(session))));
    await this.definition.close?.();
  }

  async #released(session: HubSession): Promise<void> {
    try {
      await this.definition.released?.(session);
    } catch (error) {
      this.onError(error, "released");
    }
  }

  async #load(sessionId: string, start: SessionStart | undefined): Promise<HubSession | undefined> {
    const kept = await this.#kept?.load(sessionId, start?.caller);
    const begun = startIn(start, kept?.cwd ?? "/");
    const loaded = kept ?? (await this.definition.loadSession?.(sessionId, begun));
    if (loaded === undefined) return undefined;
    const { events, ...offer } = loaded;
    const session = this.#add(sessionId, begun, offer);
    session.restore(events);
    await this.definition.opened?.(session);
    return session;
  }

  #add(id: string, start: SessionStart, offer: AgentSessionOffer): HubSession {
    const { definition, onDiagnostic, onError } = this;
    const kept = this.#kept;
    if (this.#sessions.get(id) !== undefined) throw RemoteError.invalidRequest("the session exists", { sessionId: id });
    const session: HubSession = new HubSession(id, start, offer, {
      definition,
      onDiagnostic,
      onError,
      onReleased: (released) => void this.#released(released),
      onSaid: kept && ((said, events, isEnd) => kept.add(said, events, isEnd)),
      onGrowth: (grown, chars) => this.#sessions.grew(grown, chars, "session", onDiagnostic),
    });
    this.#sessions.add(session);
    kept?.keep(session);
    return session;
  }
}

function startOf({ mcpServers, ...start }: NewSessionStart): SessionStart {
  return mcpServers === undefined ? start : { ...start, mcpServers: mcpServers.map(mcpServerOf) };
}
