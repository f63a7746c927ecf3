import { defineProtocol, notification, type ParamsOf, type Protocol, request, type ResultOf } from "@editwire/core";
import { EmptyResult } from "../initialize.js";
import { acp, type AcpMethods } from "../protocol.js";
import { LoadSessionResult, NewSessionResult } from "../session.js";
import { PromptParams } from "../prompt.js";
import { LogoutParams } from "../auth.js";
import { AuthStatus } from "./auth-status.js";
import { UnstableInitializeParams, UnstableInitializeResult } from "./initialize.js";
import { McpMessageParams, McpMessageResult } from "./mcp.js";
import { DisableProviderParams, ListProvidersResult, SetProviderParams } from "./providers.js";
import { SuccessorParams, SuccessorResult } from "./proxies.js";
import {
  ForkSessionParams,
  ForkSessionResult,
  SessionParams,
  SessionStatusResult,
  SetSessionTitleParams,
  SetSessionTitleResult,
  UnstableListSessionsParams,
  UnstableListSessionsResult,
  UnstableLoadSessionParams,
  UnstableNewSessionParams,
  UnstableResumeSessionParams,
} from "./sessions.js";
import { UnstableSessionUpdateParams } from "./updates.js";
import { UnstablePromptResult } from "./usage.js";

/** Params that only have `_meta`. */
const NoParams = LogoutParams;
const optional = { from: "client", optional: true } as const;
const archive = { ...optional, capability: "sessionCapabilities.archive" } as const;
const providers = { ...optional, capability: "providers" } as const;

/** Stable messages with unstable fields. */
const extendedMethods = {
  initialize: request({
    from: "client",
    params: UnstableInitializeParams,
    result: UnstableInitializeResult,
    spec: "5.1",
  }),
  "session/new": request({ from: "client", params: UnstableNewSessionParams, result: NewSessionResult, spec: "5.3" }),
  "session/load": request({
    from: "client",
    params: UnstableLoadSessionParams,
    result: LoadSessionResult,
    spec: "5.4",
    capability: "loadSession",
  }),
  "session/resume": request({
    ...optional,
    params: UnstableResumeSessionParams,
    result: LoadSessionResult,
    capability: "sessionCapabilities.resume",
  }),
  "session/list": request({
    ...optional,
    params: UnstableListSessionsParams,
    result: UnstableListSessionsResult,
    capability: "sessionCapabilities.list",
  }),
  "session/prompt": request({ from: "client", params: PromptParams, result: UnstablePromptResult, spec: "5.5" }),
  "session/update": notification({ from: "agent", params: UnstableSessionUpdateParams, spec: "8" }),
};

/** Messages that are unstable themselves. */
const ownMethods = {
  "session/fork": request({
    ...optional,
    params: ForkSessionParams,
    result: ForkSessionResult,
    capability: "sessionCapabilities.fork",
  }),
  "session/archive": request({ ...archive, params: SessionParams, result: EmptyResult }),
  "session/unarchive": request({ ...archive, params: SessionParams, result: EmptyResult }),
  "session/status": request({
    ...optional,
    params: SessionParams,
    result: SessionStatusResult,
    capability: "sessionCapabilities.status",
  }),
  "session/set_title": request({
    ...optional,
    params: SetSessionTitleParams,
    result: SetSessionTitleResult,
    capability: "sessionCapabilities.title",
  }),
  "providers/list": request({ ...providers, params: NoParams, result: ListProvidersResult }),
  "providers/set": request({ ...providers, params: SetProviderParams, result: EmptyResult }),
  "providers/disable": request({ ...providers, params: DisableProviderParams, result: EmptyResult }),
  "auth/status": request({ ...optional, params: NoParams, result: AuthStatus, capability: "auth.status" }),
  "auth/status_update": notification({ from: "agent", params: AuthStatus }),
  /** A request of MCP for a server that the client provides. */
  "mcp/message": request({ from: "agent", optional: true, params: McpMessageParams, result: McpMessageResult }),
  /** A notification of that server about an active request. */
  "mcp/message:notification": notification({ wire: "mcp/message", from: "client", params: McpMessageParams }),
  /** In place of `initialize`, from a conductor to a component that is not the last of its chain. */
  "proxy/initialize": request({ ...optional, params: UnstableInitializeParams, result: UnstableInitializeResult }),
  "proxy/successor": request({ from: "both", optional: true, params: SuccessorParams, result: SuccessorResult }),
  "proxy/successor:notification": notification({ wire: "proxy/successor", from: "both", params: SuccessorParams }),
};

type Extended = typeof extendedMethods;
type Own = typeof ownMethods;
type Table = Omit<AcpMethods, keyof Extended> & Extended & Own;
/** The method table of ACP with what is unstable, as an interface so that compiler messages name it. */
export interface AcpUnstableMethods extends Table {}

/** ACP with what is unstable, as a type for `ParamsOf`, `ResultOf` and `Handlers`. */
export type AcpUnstable = Protocol<"client" | "agent", AcpUnstableMethods>;

/** The params of a method, by its name: `AcpUnstableParams<"session/fork">`. */
export type AcpUnstableParams<Method extends keyof AcpUnstableMethods> = ParamsOf<AcpUnstable, Method>;

/** The result of a request, by its name: `AcpUnstableResult<"session/fork">`. `never` for a notification. */
export type AcpUnstableResult<Method extends keyof AcpUnstableMethods> = ResultOf<AcpUnstable, Method>;

/**
 * ACP as `acp` has it, with everything that the official schema of version 1 marks as unstable. The rows of a proxy
 * are for a conductor, which is its client, and for the proxy, which is an agent.
 */
export const acpUnstable: AcpUnstable = defineProtocol({
  ...acp,
  methods: { ...acp.methods, ...extendedMethods, ...ownMethods },
});
