import {
  type Acp,
  type AcpTraits,
  type AgentCapabilities,
  type AuthenticateParams,
  type AuthMethod,
  type ClientCapabilities,
  type CloseSessionParams,
  type DeleteSessionParams,
  type InitializeParams,
  type InitializeResult,
  type LoadSessionParams,
  type LoadSessionResult,
  type LogoutParams,
  type McpServer,
  mcpServersRefused,
  type NewSessionParams,
  type NewSessionResult,
  promptInProgress,
  type PromptParams,
  type PromptResult,
  protocolVersion,
  type ResumeSessionParams,
  type SessionConfigOption,
  sessionNotFound,
  type SetConfigOptionParams,
  type SetConfigOptionResult,
  type SetModeParams,
  unsupportedMode,
} from "@editwire/acp-schema";
import { type HandlerContext, type Handlers, RemoteError } from "@editwire/core";
import type { Listeners } from "@editwire/session";
import type { AcpAgent, SessionOffer } from "./agent.js";
import { booleanOptions } from "./agent-client.js";
import { withConfigValue } from "./agent-config-options.js";
import { PendingLoads } from "./agent-pending-loads.js";
import { AgentSession, type SessionClient, type SessionParts } from "./agent-session.js";
import type { AgentSessions } from "./agent-sessions.js";
import { AgentTurn } from "./agent-turn.js";
import { isDeclared } from "./capabilities.js";
import { signInKind } from "./sign-in.js";

/** What the methods of one connection need. */
export interface AgentParts extends Listeners {
  readonly agent: AcpAgent;
  readonly client: SessionClient;
  readonly sessions: AgentSessions;
  /** The traits of the dialect, which may be found out while the connection runs. */
  readonly traits: () => AcpTraits;
  readonly strict: boolean;
  readonly cancelGraceMs: number;
}

/** Answers the client's methods by the agent's handlers, for one connection. */
export class AgentMethods {
  /** What the client declared; nothing before `initialize`. */
  clientCapabilities: ClientCapabilities = {};
  /** For `connect`. */
  readonly handlers: Handlers<Acp, "agent">;
  readonly #parts: AgentParts;
  readonly #loads = new PendingLoads();
  #initialized = false;

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.handlers = this.#handlersOf(parts);
  }

  #handlersOf({ agent, client: { caller } }: AgentParts): Handlers<Acp, "agent"> {
    const declared = capabilitiesOf(agent);
    const declares = (path: string): boolean => isDeclared(declared, path);
    const listSessions = agent.listSessions?.bind(agent);
    return {
      initialize: (params) => this.#initialize(params),
      authenticate: (params) => this.#authenticate(params),
      "session/new": (params, context) => this.#newSession(params, context),
      "session/load": (params) => this.#loadSession(params),
      "session/resume": declares("sessionCapabilities.resume") ? (params) => this.#resumeSession(params) : undefined,
      "session/close": declares("sessionCapabilities.close") ? (params) => this.#closeSession(params) : undefined,
      "session/delete": declares("sessionCapabilities.delete") ? (params) => this.#deleteSession(params) : undefined,
      "session/set_config_option": (params) => this.#setConfigOption(params),
      logout: declares("auth.logout") ? (params) => this.#logout(params) : undefined,
      "session/list": listSessions && ((params) => listSessions(params, { caller })),
      "session/prompt": (params, context) => this.#prompt(params, context),
      "session/cancel": ({ sessionId }) => {
        if (!this.#loads.cancel(sessionId)) this.#find(sessionId)?.turn?.cancel();
      },
      "session/set_mode": (params) => this.#setMode(params),
    };
  }

  async #initialize(params: InitializeParams): Promise<InitializeResult> {
    const { agent, client } = this.#parts;
    await agent.initialize?.(params, { caller: client.caller });
    this.#initialized = true;
    this.clientCapabilities = params.clientCapabilities ?? {};
    return {
      protocolVersion,
      agentInfo: agent.info,
      agentCapabilities: capabilitiesOf(agent),
      authMethods: this.#authMethods,
    };
  }

  /** The ways to sign in that the client can offer. */
  get #authMethods(): AuthMethod[] {
    const hasTerminal = isDeclared(this.clientCapabilities, "auth.terminal");
    const { authMethods = [] } = this.#parts.agent;
    return authMethods.filter((method) => hasTerminal || signInKind(method) !== "terminal");
  }

  async #authenticate({ methodId }: AuthenticateParams): Promise<Record<string, never>> {
    const { agent } = this.#parts;
    const method = this.#authMethods.find(({ id }) => id === methodId);
    const isOffered = method === undefined ? agent.authMethods === undefined : signInKind(method) !== "terminal";
    if (!isOffered) throw RemoteError.invalidParams("the agent does not offer this way to sign in", { methodId });
    await agent.authenticate?.(methodId);
    return {};
  }

  /** What all sessions of this connection get. */
  get #shared(): Pick<SessionParts, "client" | "strict" | "records" | "onGrowth"> {
    const { agent, client, strict, sessions, onDiagnostic } = this.#parts;
    return {
      client,
      strict,
      records: agent.restoreSession === undefined,
      onGrowth: (session, chars) => sessions.grew(session, chars, "session/load", onDiagnostic),
    };
  }

  async #newSession(params: NewSessionParams, { afterReply }: HandlerContext): Promise<NewSessionResult> {
    this.#checkSetup("session/new", params);
    const { agent, client, sessions } = this.#parts;
    const opened = await agent.openSession?.(params, { caller: client.caller });
    const session = new AgentSession(opened?.sessionId ?? crypto.randomUUID(), params, this.#partsOf(opened));
    session.hold();
    await agent.newSession?.(session);
    sessions.add(session);
    afterReply(() => session.release());
    return { sessionId: session.id, ...this.#opened(session) };
  }

  #partsOf(offer: SessionOffer | undefined): SessionParts {
    const { modes, configOptions } = this.#parts.agent;
    return { ...this.#shared, modes: offer?.modes ?? modes, configOptions: offer?.configOptions ?? configOptions };
  }

  /** What the answers that open a session say. */
  #opened({ modes, configOptions }: AgentSession): LoadSessionResult {
    return { modes, ...(configOptions.length === 0 ? {} : { configOptions: this.#shown(configOptions) }) };
  }

  /** The options that the client shows. */
  #shown(options: readonly SessionConfigOption[]): SessionConfigOption[] {
    const showsAll = this.#parts.client.demands.declares(booleanOptions);
    return options.filter(({ type }) => showsAll || type !== "boolean");
  }

  async #loadSession(params: LoadSessionParams): Promise<LoadSessionResult> {
    this.#checkSetup("session/load", params);
    return this.#loads.run(params.sessionId, async () => {
      const { session, replays } = await this.#restore(params);
      session.adopt(params, this.#parts.client);
      await this.#bringBack(session, replays);
      return this.#opened(session);
    });
  }

  async #resumeSession({ mcpServers = [], ...others }: ResumeSessionParams): Promise<LoadSessionResult> {
    const params = { ...others, mcpServers };
    this.#checkSetup("session/resume", params);
    return this.#loads.run(params.sessionId, async () => {
      const { session } = await this.#restore(params);
      session.adopt(params, this.#parts.client);
      await this.#bringBack(session, false);
      return this.#opened(session);
    });
  }

  /** Sends what was said in a session, from where it is kept. */
  async #bringBack(session: AgentSession, replays: boolean): Promise<void> {
    const { agent } = this.#parts;
    if (agent.restoreSession === undefined) return replays ? session.replay() : undefined;
    session.hold();
    try {
      const history = await agent.restoreSession(session);
      if (replays) await session.replay(history);
    } finally {
      session.release();
    }
  }

  async #closeSession({ sessionId }: CloseSessionParams): Promise<Record<string, never>> {
    const { agent, sessions } = this.#parts;
    const session = this.#session(sessionId);
    await this.#endTurn(session);
    await agent.closeSession?.(session);
    sessions.delete(session);
    return {};
  }

  async #deleteSession({ sessionId }: DeleteSessionParams): Promise<Record<string, never>> {
    const { agent, client, sessions } = this.#parts;
    const session = this.#find(sessionId);
    if (session !== undefined) {
      await this.#endTurn(session);
      sessions.delete(session);
    }
    await agent.deleteSession?.(sessionId, { caller: client.caller });
    return {};
  }

  async #endTurn(session: AgentSession): Promise<void> {
    if (session.turn === undefined) return;
    session.turn.cancel();
    await session.turnOver;
  }

  async #logout(_params: LogoutParams): Promise<Record<string, never>> {
    const { agent, client } = this.#parts;
    await agent.logout?.({ caller: client.caller });
    return {};
  }

  async #setConfigOption(params: SetConfigOptionParams): Promise<SetConfigOptionResult> {
    const session = this.#session(params.sessionId);
    const changed = withConfigValue(session.configOptions, params.configId, params.value);
    session.configOptions =
      (await this.#parts.agent.setConfigOption?.(session, params.configId, params.value)) ?? changed;
    return { configOptions: this.#shown(session.configOptions) };
  }

  /** The session to load, from this process or from the agent's store. */
  async #restore(params: LoadSessionParams): Promise<{ session: AgentSession; replays: boolean }> {
    const { agent, client, sessions, traits } = this.#parts;
    const { sessionId } = params;
    const { caller } = client;
    const stored = this.#find(sessionId) === undefined ? await agent.loadSession?.(params, { caller }) : undefined;
    const known = this.#find(sessionId); // after the await: another client may have loaded it meanwhile
    if (known !== undefined) {
      sessions.add(known);
      return { session: known, replays: agent.replaysOnLoad ?? traits().replaysOnLoad };
    }
    if (stored === undefined || sessions.get(sessionId) !== undefined) throw sessionNotFound(sessionId, traits());
    const offered = stored.modes ?? agent.modes;
    const modes = offered && { ...offered, currentModeId: stored.modeId ?? offered.currentModeId };
    const session = new AgentSession(sessionId, params, this.#partsOf({ ...stored, modes }));
    sessions.add(session);
    session.restore(stored.history);
    return { session, replays: true };
  }

  async #prompt(params: PromptParams, { signal }: HandlerContext): Promise<PromptResult> {
    const { agent, cancelGraceMs, onError } = this.#parts;
    const { sessionId, prompt } = params;
    // Without a load there is no await here: a cancel may follow at once.
    const isCancelled = this.#loads.has(sessionId) && (await this.#loads.wait(sessionId));
    const session = this.#session(sessionId);
    if (session.turn !== undefined) throw promptInProgress(sessionId);
    const report = (error: unknown): void => onError(error, "session/prompt");
    const turn = new AgentTurn(session, params, report);
    if (isCancelled || signal.aborted) turn.cancel();
    const cancel = (): void => turn.cancel();
    signal.addEventListener("abort", cancel);
    session.turn = turn;
    let over = (): void => {};
    session.turnOver = new Promise((resolve) => (over = resolve));
    for (const content of prompt) session.record({ sessionUpdate: "user_message_chunk", content });
    try {
      const handler: AcpAgent["prompt"] = (running) => agent.prompt(running);
      return { stopReason: await turn.run({ handler, cancelGraceMs, onError: report }) };
    } finally {
      signal.removeEventListener("abort", cancel);
      session.turn = undefined;
      setTimeout(over, 0); // the answer of the prompt leaves first, in the jobs of this tick
    }
  }

  async #setMode({ sessionId, modeId }: SetModeParams): Promise<Record<string, never>> {
    const session = this.#session(sessionId);
    if (session.modes?.availableModes.some(({ id }) => id === modeId) !== true) throw unsupportedMode(modeId);
    await this.#parts.agent.setMode?.(session, modeId);
    session.modes = { ...session.modes, currentModeId: modeId };
    await session.update({ sessionUpdate: "current_mode_update", currentModeId: modeId });
    return {};
  }

  /** A session that this client uses now. One whose own client is gone becomes this client's. */
  #session(sessionId: string): AgentSession {
    const { client, sessions, traits } = this.#parts;
    const session = this.#find(sessionId);
    if (session === undefined) throw sessionNotFound(sessionId, traits());
    sessions.add(session);
    if (session.client.gone) session.client = client;
    return session;
  }

  /** The session of this id, if it is the caller's own. */
  #find(sessionId: string): AgentSession | undefined {
    const { client, sessions } = this.#parts;
    const session = sessions.get(sessionId);
    return session?.caller === client.caller ? session : undefined;
  }

  #checkSetup(method: string, { mcpServers }: { mcpServers: McpServer[] }): void {
    const { agent, strict, traits, onDiagnostic } = this.#parts;
    if (!this.#initialized) {
      if (strict) throw RemoteError.invalidRequest(`${method}: initialize comes first`);
      onDiagnostic({ id: "not-initialized", method, message: "The client did not send initialize first" });
    }
    const { http, sse } = agent.capabilities?.mcpCapabilities ?? {};
    const types = ["stdio", ...(http === true ? ["http"] : []), ...(sse === true ? ["sse"] : [])];
    const refused = mcpServers.find(({ type }) => !types.includes(type));
    if (refused === undefined) return;
    const supported = types.map((type) => `"${type}"`).join(", ");
    throw mcpServersRefused(
      `${refused.name}: the type "${refused.type}" is not supported, only ${supported}`,
      traits(),
    );
  }
}

/** What the agent says that it can do, and what its handlers show. */
function capabilitiesOf(agent: AcpAgent): AgentCapabilities {
  const { capabilities = {}, loadSession, listSessions, closeSession, deleteSession, logout } = agent;
  const shown = {
    ...(listSessions && { list: {} }),
    ...(closeSession && { close: {} }),
    ...(deleteSession && { delete: {} }),
  };
  const { sessionCapabilities } = capabilities;
  return {
    ...(loadSession === undefined ? {} : { loadSession: true }),
    ...(logout === undefined ? {} : { auth: { logout: {} } }),
    ...capabilities,
    ...(Object.keys(shown).length === 0 ? {} : { sessionCapabilities: { ...shown, ...sessionCapabilities } }),
  };
}
