/// <reference lib="esnext.disposable" preserve="true" />
import {
  acp,
  type Acp,
  elephant,
  type Implementation,
  type InitializeParams,
  type InitializeResult,
  type McpServer,
  protocolVersion,
  type SessionUpdate,
} from "@editwire/acp-schema";
import { connect, type Connection, type Diagnostic, type Profile, WireError } from "@editwire/core";
import { jsonRpcPeer } from "@editwire/peer";
import type { Transport } from "@editwire/transport";
import type { ClientLink } from "./client-link.js";
import { type AcpSession, ClientSession, type UpdateListener } from "./client-session.js";
import type { UpdateEvent } from "./events.js";
import { type PermissionHandler, rejectAll } from "./permission.js";

/** How an editor reaches an agent. */
export interface AcpClientOptions {
  /** Who is calling, for the agent's logs. */
  clientInfo?: Implementation | undefined;
  /** What this client can do. Default: nothing beyond the required. */
  clientCapabilities?: InitializeParams["clientCapabilities"];
  /** Decides about permission requests. Default: rejects them. */
  permission?: PermissionHandler | undefined;
  /** Hears the updates that no turn yields. */
  onUpdate?: UpdateListener | undefined;
  /** The dialect to speak. Default `elephant`, the specification's own; `v1` is that of the official SDK. */
  profile?: Profile | undefined;
  /** Refuse what the deviations table would repair. Default false. */
  strict?: boolean | undefined;
  /** Milliseconds that the agent has to answer `initialize`. Default 60,000. */
  initializeTimeoutMs?: number | undefined;
  /** Hears every repair and oddity that was tolerated. */
  onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
  /** Hears, whole, the errors that neither a call nor the peer is told. */
  onError?: ((error: unknown, method: string | undefined) => void) | undefined;
}

/** A session to start. */
export interface NewSessionOptions {
  /** Absolute path of the session's working directory. */
  cwd: string;
  /** Default none. */
  mcpServers?: McpServer[] | undefined;
}

/** An initialized agent. */
export interface AcpAgent {
  /** What the agent said of itself in `initialize`. */
  readonly info: InitializeResult;
  newSession(options: NewSessionOptions): Promise<AcpSession>;
  /** Loads a session that the agent knows; what it replays is the session's `history`. */
  loadSession(options: NewSessionOptions & { sessionId: string }): Promise<AcpSession>;
  /** Spec: a no-op that every agent accepts. */
  authenticate(methodId: string): Promise<void>;
  /** The typed connection below, for methods without a helper. */
  readonly connection: Connection<Acp, "client">;
  /** Closes the connection; running turns reject with `closed`. */
  close(): Promise<void>;
  /** Resolves, never rejects, with the reason once the connection is closed from either end. */
  readonly closed: Promise<Error>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Updates kept for a session whose id the agent has not told yet; more are dropped and reported. */
const maxEarlyUpdates = 10_000;

/**
 * Connects to an agent and initializes it. Throws `WireError` (`closed`, `timeout`, `invalid_result`, also for another
 * protocol version) or the agent's `RemoteError`; the transport is closed then.
 */
export async function connectAcpAgent(transport: Transport, options: AcpClientOptions = {}): Promise<AcpAgent> {
  const {
    profile = elephant,
    permission = rejectAll,
    onUpdate = () => {},
    onDiagnostic = () => {},
    onError = () => {},
  } = options;
  const sessions = new Map<string, ClientSession>();
  const early = new Map<string, SessionUpdate[]>();
  let earlyCount = 0;
  let opening = 0;

  const keepEarly = (sessionId: string, update: SessionUpdate): void => {
    if (opening === 0 || earlyCount >= maxEarlyUpdates) {
      onDiagnostic({
        id: "unknown-session",
        method: "session/update",
        message: `An update for the unknown session ${sessionId} was dropped`,
      });
      return;
    }
    earlyCount += 1;
    const updates = early.get(sessionId);
    if (updates === undefined) early.set(sessionId, [update]);
    else updates.push(update);
  };

  const connection = connect(
    acp,
    "client",
    jsonRpcPeer(transport),
    {
      "session/update": ({ sessionId, update }) => {
        const session = sessions.get(sessionId);
        return session === undefined ? keepEarly(sessionId, update) : session.receive(update);
      },
      "session/request_permission": (request, { signal }) => {
        const session =
          sessions.get(request.sessionId) ?? new ClientSession(request.sessionId, undefined, link, onUpdate);
        return session.decide(request, signal);
      },
    },
    { profile, strict: options.strict, onDiagnostic, onError },
  );
  const link: ClientLink = {
    request: connection.request,
    notify: connection.notify,
    permission,
    onDiagnostic,
    onError,
  };

  /** Runs what opens a session while updates that overtake its answer are kept. */
  const open = async (
    create: () => Promise<ClientSession>,
    adopt: (session: ClientSession, updates: SessionUpdate[]) => void,
  ): Promise<AcpSession> => {
    opening += 1;
    try {
      const session = await create();
      const updates = early.get(session.id) ?? [];
      early.delete(session.id);
      sessions.set(session.id, session);
      adopt(session, updates);
      return session;
    } finally {
      opening -= 1;
      if (opening === 0) early.clear();
      earlyCount = [...early.values()].reduce((count, { length }) => count + length, 0);
    }
  };

  const initialize = async (): Promise<InitializeResult> => {
    const { clientInfo, clientCapabilities, initializeTimeoutMs: timeoutMs = 60_000 } = options;
    const result = await connection.request(
      "initialize",
      { protocolVersion, clientInfo, clientCapabilities },
      { timeoutMs },
    );
    if (result.protocolVersion === protocolVersion) return result;
    throw new WireError(
      "invalid_result",
      `initialize: the agent speaks protocol version ${result.protocolVersion}, this client speaks ${protocolVersion}`,
    );
  };

  const info = await initialize().catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });

  return {
    info,
    connection,
    newSession: ({ cwd, mcpServers = [] }) =>
      open(
        async () => {
          const { sessionId, modes } = await connection.request("session/new", { cwd, mcpServers }, { settle: "now" });
          return new ClientSession(sessionId, modes, link, onUpdate);
        },
        (session, updates) => updates.forEach((update) => void session.receive(update)),
      ),
    loadSession: ({ sessionId, cwd, mcpServers = [] }) => {
      sessions.delete(sessionId); // what the agent replays is this load's history, not news of an earlier one
      return open(
        async () => {
          const { modes } = await connection.request("session/load", { sessionId, cwd, mcpServers }, { settle: "now" });
          return new ClientSession(sessionId, modes, link, onUpdate);
        },
        (session, updates) => (session.history = updates.map((update): UpdateEvent => session.read(update))),
      );
    },
    async authenticate(methodId) {
      await connection.request("authenticate", { methodId });
    },
    close: () => connection.close(),
    closed: connection.closed,
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
