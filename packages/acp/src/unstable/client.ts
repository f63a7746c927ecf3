import type { AcpParams, Meta } from "@editwire/acp-schema";
import type {
  AcpUnstable,
  AcpUnstableParams,
  AcpUnstableResult,
  AuthStatus,
  ProviderInfo,
  SystemPrompt,
  TurnUsage,
  UnstableClientCapabilities,
  UnstableMcpServer,
} from "@editwire/acp-schema/unstable";
import {
  type Connection,
  type Handlers,
  isRemoteError,
  RemoteError,
  type RequestName,
  type ResultOf,
} from "@editwire/core";
import type { AcpClient, AcpClientOptions, AcpListSessionsOptions, AcpNewSessionOptions } from "../client/api.js";
import type { AcpAskOptions, AcpSession } from "../client/session-api.js";
import { sessionsOf } from "../client/sessions.js";
import type { AcpTurn } from "../client/turn.js";
import { type AcpNewMcpServer, mcpServerOf } from "../mcp/server-forms.js";
import { withUnstable } from "./options.js";

/** One request for an MCP server that the client provides. */
export interface McpProviderRequest {
  /** The method of MCP, such as `tools/call`. */
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> | undefined;
  /** The `_meta` of the message around it. */
  readonly meta: Meta | undefined;
  /** Aborts when the agent cancels the request, or the connection closes. */
  readonly signal: AbortSignal;
  /** Sends a notification about the request, such as its progress. */
  notify(method: string, params?: Record<string, unknown>): void | Promise<void>;
}

/**
 * An MCP server that the client provides. It returns the result of the request. A `RemoteError` that it throws is the
 * server's error; any other error is one of the connection.
 */
export type McpProvider = (request: McpProviderRequest) => Promise<unknown>;

/** A client's unstable features. Only those that are given here are declared. */
export interface AcpUnstableClientOptions {
  /** Declares that plans are shown by their ids: `plan_update` and `plan_removed`. Default false. */
  plans?: boolean | undefined;
  /** Declares that subagents are shown: `subagent_update`, `session_message` and its chunks. Default false. */
  subagents?: boolean | undefined;
  /** Called when the agent reports its accounts without being asked. */
  onAuthStatus?: ((status: AuthStatus) => void) | undefined;
  /** The MCP servers that the client provides, by their `serverId`; see `mcpServers` of `newSession`. Default none. */
  mcpServers?: Readonly<Record<string, McpProvider>> | undefined;
  /** Handlers of other messages, such as those of a conductor. */
  handlers?: Partial<Handlers<AcpUnstable, "client">> | undefined;
}

/** The options of a client that speaks what is unstable, in the official dialect. `options` are those of the client. */
export function unstableClient<O extends AcpClientOptions>(
  unstable: AcpUnstableClientOptions,
  options: O = {} as O,
): O & Pick<AcpClientOptions, "profile" | "extension" | "clientCapabilities"> {
  const { plans = false, subagents = false, onAuthStatus, mcpServers = {}, handlers } = unstable;
  const declared: UnstableClientCapabilities = {
    ...(plans ? { plan: {} } : {}),
    ...(subagents ? { subagents: {} } : {}),
    ...options.clientCapabilities,
  };
  const handlersOf = (
    connection: () => Connection<AcpUnstable, "client">,
  ): Partial<Handlers<AcpUnstable, "client">> => ({
    "auth/status_update": (status) => onAuthStatus?.(status),
    "mcp/message": (params, { signal }) =>
      provided(mcpServers, params, signal, (more) => connection().notify("mcp/message:notification", more)),
    ...handlers,
  });
  return {
    ...options,
    clientCapabilities: declared,
    ...withUnstable("client", options, (connection) =>
      handlersOf(connection as () => Connection<AcpUnstable, "client">),
    ),
  };
}

async function provided(
  servers: Readonly<Record<string, McpProvider>>,
  { serverId, requestId, method, params, _meta }: AcpUnstableParams<"mcp/message">,
  signal: AbortSignal,
  send: (params: AcpUnstableParams<"mcp/message">) => void | Promise<void>,
): Promise<AcpUnstableResult<"mcp/message">> {
  const provider = Object.hasOwn(servers, serverId) ? servers[serverId] : undefined;
  if (provider === undefined)
    throw new RemoteError(-33_001, "this client does not provide the MCP server", { serverId });
  let isOver = false;
  const notify: McpProviderRequest["notify"] = (name, more) =>
    isOver ? undefined : send({ serverId, requestId, method: name, ...(more === undefined ? {} : { params: more }) });
  try {
    return { result: (await provider({ method, params, meta: _meta, signal, notify })) ?? null };
  } catch (error) {
    if (!isRemoteError(error)) throw error;
    const { code, message, data } = error;
    return { error: { code, message, ...(data === undefined ? {} : { data }) } };
  } finally {
    isOver = true;
  }
}

/** A session to open, with what is unstable. */
export interface UnstableSessionOptions extends Omit<AcpNewSessionOptions, "mcpServers"> {
  /** Also servers of the type `acp`, which the client provides. Default none. */
  mcpServers?: readonly (UnstableMcpServer | AcpNewMcpServer)[] | undefined;
  /** Instructions for the model, for agents with `sessionCapabilities.systemPrompt`. A text is appended. */
  systemPrompt?: SystemPrompt | string | undefined;
}

/** A session to load, resume or fork, with what is unstable. */
export interface UnstableRestoreOptions extends UnstableSessionOptions {
  sessionId: string;
}

/**
 * The unstable methods of a client. Each method rejects with `WireError("invalid_params")`, before anything is sent,
 * for an agent that does not declare it.
 */
export interface AcpUnstableClient {
  newSession(options: UnstableSessionOptions): Promise<AcpSession>;
  loadSession(options: UnstableRestoreOptions): Promise<AcpSession>;
  resumeSession(options: UnstableRestoreOptions): Promise<AcpSession>;
  /** Opens a session that begins with the messages of the session `sessionId` (`session/fork`). */
  forkSession(options: UnstableRestoreOptions): Promise<AcpSession>;
  /** Lists sessions, by default without the archived ones. */
  listSessions(
    options?: AcpListSessionsOptions & { archived?: "exclude" | "include" | "only" | undefined },
  ): Promise<AcpUnstableResult<"session/list">>;
  /** Ends a session's work, and hides it from `listSessions`. */
  archiveSession(sessionId: string, options?: AcpAskOptions): Promise<void>;
  unarchiveSession(sessionId: string, options?: AcpAskOptions): Promise<void>;
  /** `open` for a session that the agent has in memory, `saved` for another that it has. */
  sessionStatus(sessionId: string, options?: AcpAskOptions): Promise<string>;
  /** Resolves with the title that the agent keeps. */
  setSessionTitle(sessionId: string, title: string, options?: AcpAskOptions): Promise<string>;
  authStatus(options?: AcpAskOptions): Promise<AuthStatus>;
  listProviders(options?: AcpAskOptions): Promise<readonly ProviderInfo[]>;
  setProvider(provider: AcpUnstableParams<"providers/set">, options?: AcpAskOptions): Promise<void>;
  disableProvider(providerId: string, options?: AcpAskOptions): Promise<void>;
  /** The tokens of a turn that has ended, if the agent says. */
  usageOf(turn: AcpTurn): Promise<TurnUsage | undefined>;
  /** The typed connection below, with the unstable methods. */
  readonly connection: Connection<AcpUnstable, "client">;
}

/**
 * The unstable part of a client that was opened with the options of `unstableClient`. Throws a `TypeError` for another.
 */
export function unstableClientOf(client: AcpClient): AcpUnstableClient {
  const sessions = sessionsOf.get(client.connection);
  if (sessions === undefined) throw new TypeError("unstableClientOf: expected a client of this package");
  const { link } = sessions;
  if (!Object.hasOwn(link.methods, "session/fork"))
    throw new TypeError("unstableClientOf: expected a client that was opened with the options of unstableClient()");
  const connection = client.connection as unknown as Connection<AcpUnstable, "client">;
  const ask = async <N extends RequestName<AcpUnstable, "client">>(
    method: N,
    params: AcpUnstableParams<N>,
    options: AcpAskOptions = {},
  ): Promise<ResultOf<AcpUnstable, N>> =>
    link.ask(method as never, params as never, options) as Promise<ResultOf<AcpUnstable, N>>;
  const setup = <O extends UnstableSessionOptions>(method: string, { systemPrompt, ...options }: O): O => {
    if (systemPrompt === undefined) return options as O;
    link.demands.check(method, "sessionCapabilities.systemPrompt");
    const content = [{ type: "text", text: String(systemPrompt) }];
    return {
      ...options,
      systemPrompt: typeof systemPrompt === "string" ? { mode: "append", content } : systemPrompt,
    } as O;
  };
  return {
    connection,
    newSession: async (options) => client.newSession(setup("session/new", options) as AcpNewSessionOptions),
    loadSession: async (options) => client.loadSession(setup("session/load", options) as never),
    resumeSession: async (options) => client.resumeSession(setup("session/resume", options) as never),
    async forkSession(options) {
      const { signal, timeoutMs, mcpServers = [], ...params } = setup("session/fork", options);
      const servers = mcpServers.map((server) => mcpServerOf(server as AcpNewMcpServer));
      for (const { type } of servers)
        if (type !== "stdio") link.demands.check("session/fork", `mcpCapabilities.${type}`);
      return sessions.open({ ...params, mcpServers: servers } as never, { signal, timeoutMs }, "session/fork");
    },
    async listSessions({ cwd, cursor, archived, ...options } = {}) {
      if (archived !== undefined) link.demands.check("session/list", "sessionCapabilities.archive");
      const params: AcpParams<"session/list"> = defined({ cwd, cursor, archived });
      return ask("session/list", params, options);
    },
    archiveSession: async (sessionId, options) => void (await ask("session/archive", { sessionId }, options)),
    unarchiveSession: async (sessionId, options) => void (await ask("session/unarchive", { sessionId }, options)),
    sessionStatus: async (sessionId, options) => (await ask("session/status", { sessionId }, options)).status,
    setSessionTitle: async (sessionId, title, options) =>
      (await ask("session/set_title", { sessionId, title }, options)).title,
    authStatus: (options) => ask("auth/status", {}, options),
    listProviders: async (options) => (await ask("providers/list", {}, options)).providers,
    setProvider: async (provider, options) => void (await ask("providers/set", provider, options)),
    disableProvider: async (providerId, options) => void (await ask("providers/disable", { providerId }, options)),
    usageOf: async ({ answer }) => (await answer)["usage"] as TurnUsage | undefined,
  };
}

function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
