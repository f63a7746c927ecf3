/// <reference lib="esnext.disposable" preserve="true" />
import {
  acp,
  type Acp,
  type AcpProfile,
  type Implementation,
  type InitializeParams,
  type InitializeResult,
  type ListSessionsParams,
  type ListSessionsResult,
  type McpServer,
  type Meta,
  type NewSessionParams,
  protocolVersion,
} from "@editwire/acp-schema";
import { connect, type Connection, type Diagnostic, isWireError, type Peer, WireError } from "@editwire/core";
import { jsonRpcPeer } from "@editwire/peer";
import {
  type AskOptions,
  type BindingOptions,
  checkFunction,
  checkNumber,
  checkObject,
  claimTransport,
  InitializeWatch,
  type OtherProtocol,
  shown,
  type SplitOptions,
  splitOptions,
} from "@editwire/session";
import type { Transport } from "@editwire/transport";
import type { ClientLink } from "./client-link.js";
import { type PermissionHandler, rejectAll } from "./client-permission.js";
import type { AcpSession, UpdateListener } from "./client-session.js";
import { ClientSessions } from "./client-sessions.js";
import { AcpDialect } from "./dialect.js";

/** How a client works with an agent. */
export interface AcpClientOptions extends Omit<BindingOptions, "profile"> {
  /**
   * The dialect to speak. Default: the one that the agent is found to speak, `acpProfiles.v1` until there is a sign.
   */
  profile?: AcpProfile | undefined;
  /** The client's name and version, for the agent's logs. */
  clientInfo?: Implementation | undefined;
  /** What this client can do. Default: nothing beyond the required. */
  clientCapabilities?: InitializeParams["clientCapabilities"];
  /** Decides about permission requests. Default: rejects them. */
  permission?: PermissionHandler | undefined;
  /** Called with the updates that no turn yields. */
  onUpdate?: UpdateListener | undefined;
  /** Milliseconds that the agent has to end a cancelled turn, which then ends without it. Default 10,000. */
  cancelGraceMs?: number | undefined;
}

/** A session to start. */
export interface NewSessionOptions extends AskOptions {
  /** Absolute path of the session's working directory. */
  cwd: string;
  /** Default none. */
  mcpServers?: McpServer[] | undefined;
  /** Further folders that the session works in, as absolute paths; in the official dialect. */
  additionalDirectories?: readonly string[] | undefined;
  /** Sent with the request. */
  _meta?: Meta | undefined;
}

/** A session to load. */
export interface LoadSessionOptions extends NewSessionOptions {
  sessionId: string;
}

/** Which sessions to list. */
export interface ListSessionsOptions extends AskOptions {
  /** Only sessions of this working directory, absolute. Default: all. */
  cwd?: string | undefined;
  /** The `nextCursor` of the page before. Default: the first page. */
  cursor?: string | undefined;
}

/** The client of an initialized agent. */
export interface AcpClient {
  /** What the agent answered to `initialize`. */
  readonly info: InitializeResult;
  /** Opens a session. Rejects with a `TypeError` when `cwd` is missing. */
  newSession(options: NewSessionOptions): Promise<AcpSession>;
  /**
   * Loads a session that the agent has; what it replays is the session's `history`. For a session that is open here,
   * the same object comes back; when the load fails it stays as it was. Rejects with `WireError("invalid_params")`
   * during a turn.
   */
  loadSession(options: LoadSessionOptions): Promise<AcpSession>;
  /**
   * Returns one page of the sessions that the agent has (`session/list`). Rejects with the agent's `RemoteError` -32601
   * when the agent cannot list sessions. Rejects with `WireError("invalid_params")` for a relative `cwd`, and in
   * `acpProfiles.spec`, which does not have the method.
   */
  listSessions(options?: ListSessionsOptions): Promise<ListSessionsResult>;
  /** Authenticates by one of `info.authMethods`. */
  authenticate(methodId: string, options?: AskOptions): Promise<void>;
  /** The typed connection below, for methods without a helper. */
  readonly connection: Connection<Acp, "client">;
  /** Cancels running turns, then closes the connection. */
  close(): Promise<void>;
  /** Resolves, never rejects, with the reason once the connection is closed from either end. */
  readonly closed: Promise<Error>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Connects to an agent and initializes it. Throws `WireError` (`closed`, `timeout`, or `invalid_result`, also for
 * another protocol version and for a server of ECA) or the agent's `RemoteError`, and closes the transport then. Throws
 * a `TypeError` for wrong options.
 */
export async function connectAcp(transport: Transport, options: AcpClientOptions = {}): Promise<AcpClient> {
  return connectIn("connectAcp", transport, options, new AcpDialect("client"));
}

/** As `connectAcp`, for the way in `name`. `dialect` is not asked when the options name a profile. */
export async function connectIn(
  name: string,
  transport: Transport,
  options: AcpClientOptions,
  dialect: AcpDialect,
): Promise<AcpClient> {
  const split = splitOptions(name, "acpProfiles", options);
  checkFunction(name, "permission", options.permission);
  checkFunction(name, "onUpdate", options.onUpdate);
  checkNumber(name, "cancelGraceMs", options.cancelGraceMs);
  claimTransport(name, transport);
  const noise = new Noise(split.onDiagnostic);
  const watch = new InitializeWatch(jsonRpcPeer(transport, { ...split.peer, noise: "report" }), eca);
  const { peer } = watch;
  const profile = options.profile ?? dialect.reportingTo(split.onDiagnostic);
  const connection = connect(
    acp,
    "client",
    peer,
    {
      "session/update": (params, { length }) => sessions.receive(params, length),
      "session/request_permission": (request, { signal }) => sessions.decide(request, signal),
    },
    { ...split.connect, profile, onDiagnostic: (diagnostic) => noise.report(diagnostic) },
  );
  const link = linkOf(options, split, connection, peer, (session) => sessions.delete(session));
  const sessions = new ClientSessions(link);
  try {
    const info = await initialize(options, link);
    link.canClose = info.agentCapabilities?.sessionCapabilities?.["close"] !== undefined;
    return clientOf(info, connection, link, sessions);
  } catch (error) {
    await connection.close();
    throw noise.explain(watch.explain(error));
  }
}

/** What an editor may have started instead of an agent. */
const eca: OtherProtocol = {
  name: "ECA",
  fields: ["models", "chatDefaultModel", "chatBehaviors", "chatDefaultBehavior", "chatWelcomeMessage"],
  params: ["params.workspaceFolders"],
  use: "spawnEca or connectEca of @editwire/eca",
};

async function initialize(options: AcpClientOptions, link: ClientLink): Promise<InitializeResult> {
  const { clientInfo, clientCapabilities } = options;
  const result = await link.ask("initialize", { protocolVersion, clientInfo, clientCapabilities }, {});
  if (result.protocolVersion === protocolVersion) return result;
  const versions = `the agent speaks protocol version ${result.protocolVersion}, this client speaks ${protocolVersion}`;
  throw new WireError("invalid_result", `initialize: ${versions}`);
}

function clientOf(
  info: InitializeResult,
  connection: Connection<Acp, "client">,
  link: ClientLink,
  sessions: ClientSessions,
): AcpClient {
  const close = async (): Promise<void> => {
    await sessions.cancelAll();
    await connection.close();
  };
  return {
    info,
    connection: {
      ...connection,
      async notify(method, params) {
        const isSent = method === "session/cancel" && (await sessions.cancel(params.sessionId));
        if (!isSent) await connection.notify(method, params);
      },
    },
    async newSession(options) {
      const { signal, timeoutMs, ...params } = sessionParams("newSession", options);
      return sessions.open(params, { signal, timeoutMs });
    },
    async loadSession(options) {
      const { signal, timeoutMs, ...params } = sessionParams("loadSession", options);
      return sessions.load({ ...params, sessionId: options.sessionId }, { signal, timeoutMs });
    },
    async listSessions(options = {}) {
      checkObject("listSessions", "options", options);
      const { signal, timeoutMs, cwd, cursor } = options;
      return link.ask("session/list", listParams(cwd, cursor), { signal, timeoutMs });
    },
    async authenticate(methodId, options = {}) {
      await link.ask("authenticate", { methodId }, options);
    },
    close,
    closed: connection.closed,
    [Symbol.asyncDispose]: close,
  };
}

function sessionParams(name: string, options: NewSessionOptions): NewSessionParams & AskOptions {
  checkObject(name, "options", options);
  if (typeof options.cwd !== "string")
    throw new TypeError(`${name}: expected cwd to be an absolute path, received ${shown(options.cwd)}`);
  const { mcpServers = [], additionalDirectories, _meta, ...others } = options;
  return {
    ...others,
    mcpServers,
    ...(additionalDirectories === undefined ? {} : { additionalDirectories: [...additionalDirectories] }),
    ...(_meta === undefined ? {} : { _meta }),
  };
}

function listParams(cwd: string | undefined, cursor: string | undefined): ListSessionsParams {
  return { ...(cwd === undefined ? {} : { cwd }), ...(cursor === undefined ? {} : { cursor }) };
}

function linkOf(
  options: AcpClientOptions,
  { timeoutMs, onDiagnostic, onError }: SplitOptions,
  { request, notify }: Connection<Acp, "client">,
  peer: Peer,
  forget: (session: Parameters<ClientLink["closeSession"]>[0]) => void,
): ClientLink & { canClose: boolean } {
  const { permission = rejectAll, onUpdate = () => {}, cancelGraceMs = 10_000 } = options;
  return {
    request,
    notify,
    permission,
    onDiagnostic,
    onError,
    cancelGraceMs,
    canClose: false,
    onUpdate(event, session) {
      try {
        onUpdate(event, session);
      } catch (error) {
        onError(error, "session/update");
      }
    },
    ask: (method, params, ask) => request(method, params, { timeoutMs, ...defined(ask), settle: "now" }),
    async closeSession(session, ask) {
      if (this.canClose) await peer.request("session/close", { sessionId: session.id }, { timeoutMs, ...defined(ask) });
      forget(session);
    },
  };
}

function defined({ signal, timeoutMs }: AskOptions): AskOptions {
  return { ...(signal === undefined ? {} : { signal }), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

/** What an agent writes that is not ACP. When nothing else comes, it is the best explanation that there is. */
class Noise {
  readonly #onDiagnostic: SplitOptions["onDiagnostic"];
  #first: string | undefined;

  constructor(onDiagnostic: SplitOptions["onDiagnostic"]) {
    this.#onDiagnostic = onDiagnostic;
  }

  report(diagnostic: Diagnostic): void {
    if (diagnostic.id === "rpc.noise") this.#first ??= diagnostic.message;
    this.#onDiagnostic(diagnostic);
  }

  explain(error: unknown): unknown {
    if (this.#first === undefined || !isWireError(error)) return error;
    const { code, message, data } = error;
    return new WireError(code, `${message}; what it wrote is not ACP: ${this.#first}`, { cause: error, data });
  }
}
