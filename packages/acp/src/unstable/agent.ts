import { type ContentBlock, type Meta, sessionNotFound } from "@editwire/acp-schema";
import type {
  AcpUnstable,
  AcpUnstableParams,
  AcpUnstableResult,
  AuthStatus,
  ProviderInfo,
  SystemPrompt,
  UnstableAgentCapabilities,
} from "@editwire/acp-schema/unstable";
import { type HandlerContext, type Handlers, RemoteError } from "@editwire/core";
import type { AcpAgentOptions } from "../agent/api.js";
import type { AgentMethods } from "../agent/methods.js";
import { type AcpRequestContext, requestContext } from "../agent/request.js";
import type { AgentSession } from "../agent/session.js";
import type { AcpAgentSession } from "../agent/session-api.js";
import type { SessionClient } from "../agent/session-client.js";
import { withUnstable } from "./options.js";

/** The providers of models that the user can configure. */
export interface AcpProviders {
  list(context: AcpRequestContext): readonly ProviderInfo[] | Promise<readonly ProviderInfo[]>;
  /** Replaces the whole configuration of a provider. Throwing refuses it. */
  set(provider: AcpUnstableParams<"providers/set">, context: AcpRequestContext): void | Promise<void>;
  disable(provider: AcpUnstableParams<"providers/disable">, context: AcpRequestContext): void | Promise<void>;
}

/** An agent's unstable features. Only those that are given are declared. */
export interface AcpUnstableAgent {
  /**
   * Whether sessions take a system prompt, which `systemPromptOf` returns. `override`: also in place of the own one.
   */
  systemPrompt?: boolean | "override" | undefined;
  /**
   * Prepares a session that begins with a copy of the messages of `source` (`session/fork`). Throwing
   * refuses it.
   */
  forkSession?(fork: AcpAgentSession, source: AcpAgentSession): void | Promise<void>;
  /**
   * Hides a session from `session/list`, or shows it again; its turn has ended then. Returns whether there is such a
   * session. `listSessions` of the agent gets `archived` and says in each session whether it is archived.
   */
  archiveSession?(sessionId: string, archived: boolean, context: AcpRequestContext): boolean | Promise<boolean>;
  /** Says whether the agent has a session that is not in memory, such as one in a file. */
  isSaved?(sessionId: string, context: AcpRequestContext): boolean | Promise<boolean>;
  /**
   * Keeps a title, and returns it as it is kept; `undefined` when it has no such session. A session in memory has the
   * title then, and its client gets it.
   */
  setSessionTitle?(
    sessionId: string,
    title: string,
    context: AcpRequestContext,
  ): string | undefined | Promise<string | undefined>;
  authStatus?(context: AcpRequestContext): AuthStatus | Promise<AuthStatus>;
  providers?: AcpProviders | undefined;
  /** Takes MCP servers that the client provides; see `unstableSessionOf(session).mcp`. Default false. */
  acpMcpServers?: boolean | undefined;
  /** Handlers of other messages, such as those of a proxy. */
  handlers?: Partial<Handlers<AcpUnstable, "agent">> | undefined;
}

/** The options of an agent that speaks what is unstable, in the official dialect. `options` are those of `serveAcp`. */
export function unstableAgent<O extends AcpAgentOptions>(
  unstable: AcpUnstableAgent,
  options: O = {} as O,
): O & Pick<AcpAgentOptions, "profile" | "extension"> {
  return {
    ...options,
    ...withUnstable("agent", options, (methods) => handlersOf(unstable, methods as AgentMethods)),
  };
}

/** The system prompt that the client gave the session when it opened or last loaded it. */
export function systemPromptOf(session: AcpAgentSession): SystemPrompt | undefined {
  return (session as AgentSession).setup["systemPrompt"] as SystemPrompt | undefined;
}

type UnstableHandlers = Partial<Handlers<AcpUnstable, "agent">>;

function handlersOf(unstable: AcpUnstableAgent, methods: AgentMethods): UnstableHandlers {
  const base = methods.handlers as unknown as Handlers<AcpUnstable, "agent">;
  if (unstable.acpMcpServers === true) methods.openings.serverTypes.add("acp");
  const checked = <N extends "session/new" | "session/load" | "session/resume">(method: N): UnstableHandlers => {
    const handle = base[method] as
      | ((params: AcpUnstableParams<N>, context: HandlerContext) => Promise<AcpUnstableResult<N>>)
      | undefined;
    if (handle === undefined) return {};
    const open = async (params: AcpUnstableParams<N>, context: HandlerContext): Promise<AcpUnstableResult<N>> => {
      checkSystemPrompt(unstable.systemPrompt ?? false, params.systemPrompt);
      return handle(params, context);
    };
    return { [method]: open };
  };
  return {
    initialize: async (params, context) => {
      const result = await base.initialize(params, context);
      return { ...result, agentCapabilities: withDeclared(unstable, result.agentCapabilities) };
    },
    ...checked("session/new"),
    ...checked("session/load"),
    ...checked("session/resume"),
    ...sessionHandlers(unstable, methods),
    ...accountHandlers(unstable, methods.parts.client),
    ...unstable.handlers,
  };
}

function sessionHandlers(unstable: AcpUnstableAgent, methods: AgentMethods): UnstableHandlers {
  const { openings, parts } = methods;
  const contextOf = (params: { _meta?: Meta | undefined }, request: HandlerContext): AcpRequestContext =>
    requestContext(parts.client, params, request);
  const list = (methods.handlers as unknown as UnstableHandlers)["session/list"];
  const archive = unstable.archiveSession?.bind(unstable);
  const setTitle = unstable.setSessionTitle?.bind(unstable);
  const isSaved = unstable.isSaved?.bind(unstable);
  const missing = (sessionId: string): RemoteError => sessionNotFound(sessionId, parts.traits());
  const setArchived = async (
    sessionId: string,
    archived: boolean,
    context: AcpRequestContext,
  ): Promise<Record<string, never>> => {
    if (archived && openings.find(sessionId) !== undefined) await openings.close({ sessionId }, context);
    if ((await archive?.(sessionId, archived, context)) !== true) throw missing(sessionId);
    return {};
  };
  return {
    "session/list":
      list &&
      ((params, handlerContext) => {
        if (archive !== undefined && !["exclude", "include", "only", undefined].includes(params.archived))
          throw RemoteError.invalidParams(`archived: expected exclude, include or only, received ${params.archived}`);
        return list(params, handlerContext);
      }),
    "session/fork":
      unstable.forkSession &&
      (async (params, request) => {
        checkSystemPrompt(unstable.systemPrompt ?? false, params.systemPrompt);
        const source = openings.use(params.sessionId);
        const fork = await openings.make({ mcpServers: [], ...params } as never, contextOf(params, request));
        for (const update of await source.history()) fork.record(update);
        await unstable.forkSession?.(fork, source);
        request.afterReply(() => fork.release());
        return { sessionId: fork.id, ...methods.opened(fork) };
      }),
    "session/archive":
      archive && ((params, request) => setArchived(params.sessionId, true, contextOf(params, request))),
    "session/unarchive":
      archive && ((params, request) => setArchived(params.sessionId, false, contextOf(params, request))),
    "session/status":
      isSaved &&
      (async ({ sessionId, ...params }, request) => {
        if (openings.find(sessionId) !== undefined) return { status: "open" };
        if (await isSaved(sessionId, contextOf(params, request))) return { status: "saved" };
        throw missing(sessionId);
      }),
    "session/set_title":
      setTitle &&
      (async ({ sessionId, title, ...params }, request) => {
        if (title.trim() === "") throw RemoteError.invalidParams("title: expected more than white space");
        const kept = await setTitle(sessionId, title, contextOf(params, request));
        if (kept === undefined) throw missing(sessionId);
        await openings.find(sessionId)?.setTitle(kept);
        return { title: kept };
      }),
  };
}

function accountHandlers(
  { authStatus, providers, ...unstable }: AcpUnstableAgent,
  client: SessionClient,
): UnstableHandlers {
  const contextOf = (params: { _meta?: Meta | undefined }, request: HandlerContext): AcpRequestContext =>
    requestContext(client, params, request);
  return {
    "auth/status": authStatus && ((params, request) => authStatus.call(unstable, contextOf(params, request))),
    "providers/list":
      providers &&
      (async (params, request) => ({ providers: [...(await providers.list(contextOf(params, request)))] })),
    "providers/set":
      providers &&
      (async (params, request) => {
        await providers.set(params, contextOf(params, request));
        return {};
      }),
    "providers/disable":
      providers &&
      (async (params, request) => {
        await providers.disable(params, contextOf(params, request));
        return {};
      }),
  };
}

/** The capabilities, with those of the given features. */
function withDeclared(unstable: AcpUnstableAgent, declared: UnstableAgentCapabilities = {}): UnstableAgentCapabilities {
  const { systemPrompt, forkSession, archiveSession, isSaved, setSessionTitle } = unstable;
  const sessions = {
    ...(systemPrompt === undefined || systemPrompt === false
      ? {}
      : { systemPrompt: systemPrompt === "override" ? { mode: { override: {} } } : {} }),
    ...(forkSession && { fork: {} }),
    ...(archiveSession && { archive: {} }),
    ...(isSaved && { status: {} }),
    ...(setSessionTitle && { title: {} }),
  };
  const { sessionCapabilities, mcpCapabilities, auth } = declared;
  return {
    ...(unstable.providers && { providers: {} }),
    ...declared,
    ...(Object.keys(sessions).length > 0 && { sessionCapabilities: { ...sessions, ...sessionCapabilities } }),
    ...(unstable.acpMcpServers === true && { mcpCapabilities: { acp: true, ...mcpCapabilities } }),
    ...(unstable.authStatus && { auth: { status: {}, ...auth } }),
  };
}

/** Throws a `RemoteError` for a system prompt that the agent does not take: it must not be ignored. */
function checkSystemPrompt(taken: boolean | "override", prompt: SystemPrompt | undefined): void {
  if (prompt === undefined) return;
  const modes = taken === false ? [] : taken === "override" ? ["append", "override"] : ["append"];
  const { mode, content } = prompt;
  if (!modes.includes(mode))
    throw RemoteError.invalidParams(`systemPrompt.mode: expected ${modes.join(" or ") || "none"}, received ${mode}`);
  const isText = ({ type }: ContentBlock): boolean => type === "text";
  if (content.length === 0 || !content.every(isText))
    throw RemoteError.invalidParams("systemPrompt.content: expected blocks of text, at least one");
}
