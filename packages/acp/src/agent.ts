import {
  acp,
  type Acp,
  type AgentCapabilities,
  elephant,
  type Implementation,
  type InitializeParams,
  type LoadSessionParams,
  type McpServer,
  mcpServersRefused,
  promptInProgress,
  protocolVersion,
  sessionNotFound,
  type SessionModeState,
  type SessionUpdate,
  unsupportedMode,
} from "@editwire/acp-schema";
import { connect, type Connection, type Diagnostic, type Profile, RemoteError } from "@editwire/core";
import { jsonRpcPeer } from "@editwire/peer";
import type { Transport } from "@editwire/transport";
import { defaultCapabilities, defaultModes } from "./agent-defaults.js";
import { type AcpAgentSession, AgentSession, type SessionClient } from "./agent-session.js";
import { AgentTurn, type TurnHandler } from "./agent-turn.js";
import { PendingLoads } from "./pending-loads.js";

/** A session that an agent brings back from a store of its own. */
export interface StoredSession {
  /** What the client is shown again, in order. */
  history: readonly SessionUpdate[];
  /** Default: the agent's current mode. */
  modeId?: string | undefined;
}

/** An agent: only `prompt` is required. */
export interface AcpAgentHandlers {
  /** The agent's name and version. */
  info?: Implementation | undefined;
  /** Overrides single capabilities of the specification's list (5.1). */
  capabilities?: AgentCapabilities | undefined;
  /** The modes that sessions offer, and the one they start in. Default: the four of the specification (9). */
  modes?: SessionModeState | undefined;
  /** Hears what the client said of itself. */
  initialize?(params: InitializeParams): void | Promise<void>;
  authenticate?(methodId: string): void | Promise<void>;
  /** Prepares a new session; throwing refuses it. Updates sent here reach the client after the session's id. */
  newSession?(session: AcpAgentSession): void | Promise<void>;
  /** Finds a session that this process does not hold. Default: there is none. */
  loadSession?(params: LoadSessionParams): StoredSession | undefined | Promise<StoredSession | undefined>;
  /** Hears of a change of mode before the client does; throwing refuses it. */
  setMode?(session: AcpAgentSession, modeId: string): void | Promise<void>;
  /** Runs one turn. Returning nothing means `end_turn`; a cancelled turn ends as `cancelled` whatever is returned or thrown. */
  prompt: TurnHandler;
}

/** How an agent is served. */
export interface AcpAgentOptions {
  /** The dialect to speak. Default `elephant`, the specification's own; `v1` is that of the official SDK. */
  profile?: Profile | undefined;
  /** Refuse what the deviations table would repair. Default false. */
  strict?: boolean | undefined;
  /** Milliseconds that a cancelled turn's handler has to return before the client is answered without it. Default 10,000. */
  cancelGraceMs?: number | undefined;
  /** Sessions shared between connections. Default: the connection's own. */
  sessions?: Map<string, AgentSession> | undefined;
  /** Sessions that are kept. Default 1,000; beyond them, those that nobody used the longest are forgotten. */
  maxSessions?: number | undefined;
  /** Hears every repair and oddity that was tolerated. */
  onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
  /** Hears, whole, what the client is not told: errors of handlers and unreadable messages. Default: nobody; on Node, `serveAcpStdio` and `listenAcpHttp` write them to stderr. */
  onError?: ((error: unknown, method: string | undefined) => void) | undefined;
}

/** An agent at work for one client. */
export interface AcpAgentConnection {
  /** The typed connection below, for methods without a helper. */
  readonly connection: Connection<Acp, "agent">;
  /** Closes the connection; running turns are cancelled. */
  close(): Promise<void>;
  /** Resolves, never rejects, with the reason once the connection is closed from either end. */
  readonly closed: Promise<Error>;
}

/** Serves an agent to the client at the other end of a transport. */
export function serveAcpAgent(
  transport: Transport,
  agent: AcpAgentHandlers,
  options: AcpAgentOptions = {},
): AcpAgentConnection {
  const {
    profile = elephant,
    strict = false,
    sessions = new Map<string, AgentSession>(),
    maxSessions = 1_000,
    cancelGraceMs = 10_000,
  } = options;
  const { onError = () => {}, onDiagnostic = () => {} } = options;
  const modes = agent.modes ?? defaultModes;
  const loads = new PendingLoads();
  let initialized = false;
  let gone = false;

  /** A session that this client uses now; one whose own client is gone becomes this client's. */
  const find = (sessionId: string): AgentSession => {
    const session = sessions.get(sessionId);
    if (session === undefined) throw sessionNotFound(sessionId, profile.name);
    if (session.client.gone) session.client = client;
    keep(session);
    return session;
  };

  /** Keeps a session, as the one that was used last. */
  const keep = (session: AgentSession): void => {
    sessions.delete(session.id);
    sessions.set(session.id, session);
    for (const [id, { turn }] of sessions) {
      if (sessions.size <= maxSessions) return;
      if (turn === undefined && id !== session.id) sessions.delete(id);
    }
  };

  const checkSetup = (method: string, { mcpServers }: { mcpServers: McpServer[] }): void => {
    if (!initialized) {
      if (strict) throw RemoteError.invalidRequest(`${method}: initialize comes first`);
      onDiagnostic({ id: "not-initialized", method, message: "The client did not send initialize first" });
    }
    const refused = mcpServers.find(({ type }) => type !== "stdio");
    if (refused !== undefined)
      throw mcpServersRefused(
        `${refused.name}: the type "${refused.type}" is not supported, only "stdio"`,
        profile.name,
      );
  };

  const restore = async (params: LoadSessionParams): Promise<AgentSession> => {
    const { sessionId, cwd, mcpServers } = params;
    const stored = sessions.has(sessionId) ? undefined : await agent.loadSession?.(params);
    let session = sessions.get(sessionId); // looked up behind the await: another client may have loaded it meanwhile
    if (session === undefined) {
      if (stored === undefined) throw sessionNotFound(sessionId, profile.name);
      const currentModeId = stored.modeId ?? modes.currentModeId;
      session = new AgentSession(sessionId, { cwd, mcpServers, modes: { ...modes, currentModeId } }, client);
      session.restore(stored.history);
    }
    keep(session);
    return session;
  };

  const connection = connect(
    acp,
    "agent",
    jsonRpcPeer(transport),
    {
      async initialize(params) {
        await agent.initialize?.(params);
        initialized = true;
        return {
          protocolVersion,
          agentInfo: agent.info,
          agentCapabilities: { ...defaultCapabilities, ...agent.capabilities },
          authMethods: [],
        };
      },
      async authenticate({ methodId }) {
        await agent.authenticate?.(methodId);
        return {};
      },
      async "session/new"(params, { afterReply }) {
        checkSetup("session/new", params);
        const session = new AgentSession(
          crypto.randomUUID(),
          { cwd: params.cwd, mcpServers: params.mcpServers, modes },
          client,
        );
        session.hold();
        await agent.newSession?.(session);
        keep(session);
        afterReply(() => session.release());
        return { sessionId: session.id, modes: session.modes };
      },
      async "session/load"(params) {
        checkSetup("session/load", params);
        return loads.run(params.sessionId, async () => {
          const session = await restore(params);
          session.adopt(params, client);
          await session.replay();
          return { modes: session.modes };
        });
      },
      async "session/prompt"({ sessionId, prompt }, { signal }) {
        const cancelled = loads.has(sessionId) && (await loads.wait(sessionId)); // no await without need: a cancel may be right behind
        const session = find(sessionId);
        if (session.turn !== undefined) throw promptInProgress(sessionId);
        const turn = new AgentTurn(session, prompt);
        if (cancelled) turn.cancel();
        const cancel = (): void => turn.cancel();
        signal.addEventListener("abort", cancel);
        session.turn = turn;
        for (const content of prompt) session.record({ sessionUpdate: "user_message_chunk", content });
        try {
          return {
            stopReason: await turn.run(
              (running) => agent.prompt(running),
              cancelGraceMs,
              (error) => onError(error, "session/prompt"),
            ),
          };
        } finally {
          signal.removeEventListener("abort", cancel);
          session.turn = undefined;
        }
      },
      "session/cancel"({ sessionId }) {
        if (!loads.cancel(sessionId)) sessions.get(sessionId)?.turn?.cancel();
      },
      async "session/set_mode"({ sessionId, modeId }) {
        const session = find(sessionId);
        if (!session.modes.availableModes.some(({ id }) => id === modeId)) throw unsupportedMode(modeId);
        await agent.setMode?.(session, modeId);
        session.modeId = modeId;
        await session.update({ sessionUpdate: "current_mode_update", currentModeId: modeId });
        return {};
      },
    },
    { profile, strict, onDiagnostic, onError },
  );

  const client: SessionClient = {
    get gone() {
      return gone;
    },
    update: (sessionId, update) => connection.notify("session/update", { sessionId, update }),
    async askPermission(sessionId, toolCall, offered, signal) {
      const { outcome } = await connection.request(
        "session/request_permission",
        { sessionId, toolCall, options: offered },
        { signal, settle: "now" },
      );
      const chosen =
        outcome.outcome === "selected" ? offered.find(({ optionId }) => optionId === outcome.optionId) : undefined;
      if (chosen !== undefined)
        return {
          outcome: "selected",
          optionId: chosen.optionId,
          kind: chosen.kind,
          allowed: chosen.kind.startsWith("allow"),
        };
      if (outcome.outcome === "selected")
        onDiagnostic({
          id: "option-not-offered",
          method: "session/request_permission",
          message: `The option ${outcome.optionId} was not offered`,
        });
      return { outcome: "cancelled", allowed: false };
    },
  };

  void connection.closed.then(() => (gone = true));
  return { connection, close: () => connection.close(), closed: connection.closed };
}
