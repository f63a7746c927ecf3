import {
  type AcpParams,
  type AcpProfile,
  type AcpResult,
  type AcpTraits,
  type McpServer,
  mcpServersRefused,
  sessionNotFound,
  type SessionUpdate,
} from "@editwire/acp-schema";
import type { Listeners } from "@editwire/session";
import type { AcpAgent, AcpSessionOffer } from "./api.js";
import { AgentPrompts } from "./prompts.js";
import type { AcpRequestContext } from "./request.js";
import { AgentSession } from "./session.js";
import type { SessionClient } from "./session-client.js";
import { answerOf } from "../shared/confirmation.js";
import type { AgentSessions } from "./sessions.js";

/** The parts that open, list and end the sessions of one connection. */
export interface OpeningParts extends Listeners {
  readonly agent: AcpAgent;
  readonly client: SessionClient;
  readonly sessions: AgentSessions;
  /** The dialect, which may be found out while the connection runs. */
  readonly profile: () => AcpProfile;
  /** The traits of the dialect. */
  readonly traits: () => AcpTraits;
  readonly strict: boolean;
}

/** Opens, finds and ends sessions for one connection: in this process, in the store, or by the agent's handlers. */
export class AgentOpenings {
  /** The types of MCP servers that sessions may have. */
  readonly serverTypes: Set<string>;
  readonly #parts: OpeningParts;

  constructor(parts: OpeningParts) {
    this.#parts = parts;
    const { http, sse } = parts.agent.capabilities?.mcpCapabilities ?? {};
    this.serverTypes = new Set(["stdio", ...(http === true ? ["http"] : []), ...(sse === true ? ["sse"] : [])]);
  }

  /** Makes a session. Its updates are held until `release`. */
  async make(params: AcpParams<"session/new">, context: AcpRequestContext): Promise<AgentSession> {
    this.#checkServers(params);
    const { agent, client, sessions } = this.#parts;
    const opened = await agent.openSession?.(params, context);
    const session = this.#sessionOf(opened?.sessionId ?? crypto.randomUUID(), params, opened);
    session.hold();
    try {
      await agent.newSession?.(session);
      const key = { sessionId: session.id, caller: client.caller };
      const log = await agent.sessions?.create(key, { cwd: params.cwd, title: session.title });
      if (log !== undefined) session.store(log);
    } catch (error) {
      session.forgotten();
      throw error;
    }
    session.saveSettings();
    sessions.add(session);
    return session;
  }

  /** Opens a session for this client, from this process or from a store; with its history if `replays`. */
  async open(
    method: string,
    params: AcpParams<"session/load">,
    context: AcpRequestContext,
    { replays }: { replays: boolean },
  ): Promise<AgentSession> {
    this.#checkServers(params);
    const { session, isKnown } = await this.#restore(params, context);
    try {
      await this.#adopt(method, session, params, { isKnown, replays });
      return session;
    } catch (error) {
      throw session.isDeleted ? sessionNotFound(session.id, this.#parts.traits()) : error;
    }
  }

  async #adopt(
    method: string,
    session: AgentSession,
    params: AcpParams<"session/load">,
    { isKnown, replays }: { isKnown: boolean; replays: boolean },
  ): Promise<void> {
    const { agent, client, sessions, traits, onDiagnostic } = this.#parts;
    const replaysKnown = agent.replaysOnLoad ?? (traits().replaysOnLoad || agent.sessions !== undefined);
    const onUnfit = ({ message }: Error): void => onDiagnostic({ id: "stored-update-dropped", method, message });
    if (agent.restoreSession === undefined)
      return session.adopt(params, client, { replays: replays && (!isKnown || replaysKnown), onUnfit });
    session.hold();
    try {
      session.prepare(params, client);
      const history = (await agent.restoreSession(session)) ?? undefined;
      await session.adopt(params, client, { replays, history, onUnfit });
    } catch (error) {
      if (!isKnown) sessions.delete(session);
      throw error;
    } finally {
      session.release();
    }
  }

  async list(params: AcpParams<"session/list">, context: AcpRequestContext): Promise<AcpResult<"session/list">> {
    const { agent } = this.#parts;
    const { caller } = context;
    if (agent.listSessions !== undefined) return agent.listSessions(params, context);
    const { cwd, cursor } = params;
    const { sessions = [], nextCursor } = (await agent.sessions?.list({ caller, cwd, cursor })) ?? {};
    return {
      sessions: sessions.map(({ sessionId, cwd: folder, title, updatedAt }) => ({
        sessionId,
        cwd: folder,
        updatedAt,
        ...(title === undefined ? {} : { title }),
      })),
      ...(nextCursor === undefined ? {} : { nextCursor }),
    };
  }

  async close(
    { sessionId }: AcpParams<"session/close">,
    context: AcpRequestContext,
  ): Promise<AcpResult<"session/close">> {
    const { agent, sessions } = this.#parts;
    const session = this.use(sessionId);
    await endTurn(session);
    const answered = await agent.closeSession?.(session, context);
    sessions.delete(session);
    return answerOf(answered);
  }

  async delete(
    { sessionId }: AcpParams<"session/delete">,
    context: AcpRequestContext,
  ): Promise<AcpResult<"session/delete">> {
    const { agent, sessions } = this.#parts;
    const { caller } = context;
    const session = this.find(sessionId);
    if (session !== undefined) {
      session.isDeleted = true;
      await endTurn(session);
      sessions.delete(session);
    }
    await agent.sessions?.delete({ sessionId, caller });
    return answerOf(await agent.deleteSession?.(sessionId, context));
  }

  /** A session that this client uses now. One whose own client is gone becomes this client's. */
  use(sessionId: string): AgentSession {
    const { client, sessions, traits } = this.#parts;
    const session = this.find(sessionId);
    if (session === undefined) throw sessionNotFound(sessionId, traits());
    sessions.add(session);
    if (session.owner.gone) session.owner = client;
    return session;
  }

  /** The session of this id, if it is the caller's own. */
  find(sessionId: string): AgentSession | undefined {
    const { client, sessions } = this.#parts;
    const session = sessions.get(sessionId);
    return session?.caller === client.caller ? session : undefined;
  }

  #sessionOf(id: string, params: AcpParams<"session/new">, offer: AcpSessionOffer | undefined): AgentSession {
    const { agent, client, strict, profile, sessions, onDiagnostic, onError } = this.#parts;
    const session = new AgentSession(id, params, {
      client,
      strict,
      profile,
      modes: offer?.modes ?? agent.modes,
      configOptions: offer?.configOptions ?? agent.configOptions,
      records: agent.restoreSession === undefined,
      onGrowth: (session, chars) => sessions.grew(session, chars, "session/load", onDiagnostic),
      onLost(lost, error) {
        onError(error, "session/update");
        AgentPrompts.cancel(lost);
        sessions.delete(lost); // the client finds it again by loading it
      },
    });
    session.answerMeta = offer?._meta;
    return session;
  }

  /** The session to load. */
  async #restore(
    params: AcpParams<"session/load">,
    context: AcpRequestContext,
  ): Promise<{ session: AgentSession; isKnown: boolean }> {
    const { sessions, traits } = this.#parts;
    const { sessionId } = params;
    const found = this.find(sessionId) === undefined ? await this.#restored(params, context) : undefined;
    const known = this.find(sessionId); // after the await: another client may have loaded it meanwhile
    if (known !== undefined) {
      sessions.add(known);
      return { session: known, isKnown: true };
    }
    if (found === undefined || sessions.get(sessionId) !== undefined) throw sessionNotFound(sessionId, traits());
    const { session, history } = found;
    sessions.add(session);
    if (history !== undefined) session.restore(history);
    return { session, isKnown: false };
  }

  /** The session as it is in the store, or as the agent's handler gives it, then with its history. */
  async #restored(
    params: AcpParams<"session/load">,
    context: AcpRequestContext,
  ): Promise<{ session: AgentSession; history?: readonly SessionUpdate[] } | undefined> {
    const { agent } = this.#parts;
    const { sessionId } = params;
    const { caller } = context;
    const log = await agent.sessions?.open({ sessionId, caller });
    if (log !== undefined) {
      const session = this.#sessionOf(sessionId, params, undefined);
      session.store(log);
      session.restoreSettings(log.record.data);
      return { session };
    }
    const stored = await agent.loadSession?.(params, context);
    if (stored === undefined) return undefined;
    const offered = stored.modes ?? agent.modes;
    const modes = offered && { ...offered, currentModeId: stored.modeId ?? offered.currentModeId };
    return { session: this.#sessionOf(sessionId, params, { ...stored, modes }), history: stored.history };
  }

  #checkServers({ mcpServers }: { mcpServers: McpServer[] }): void {
    const traits = this.#parts.traits();
    const taken = traits.remoteMcpServers ? [...this.serverTypes] : ["stdio"];
    const refused = mcpServers.find(({ type }) => !taken.includes(type));
    if (refused === undefined) return;
    const supported = taken.map((type) => `"${type}"`).join(", ");
    throw mcpServersRefused(`${refused.name}: the type "${refused.type}" is not supported, only ${supported}`, traits);
  }
}

async function endTurn(session: AgentSession): Promise<void> {
  AgentPrompts.cancel(session);
  if (session.turn !== undefined) await session.turnOver;
  if (session.asked.size > 0) await Promise.allSettled(session.asked.values());
}
