import { defineProtocol, notification, type ParamsOf, type Protocol, request, type ResultOf } from "@editwire/core";
import { AuthenticateParams, EmptyResult, InitializeParams, InitializeResult } from "./initialize.js";
import { RequestPermissionParams, RequestPermissionResult } from "./permission.js";
import { PromptParams, PromptResult } from "./prompt.js";
import {
  CancelParams,
  CloseSessionParams,
  LoadSessionParams,
  LoadSessionResult,
  NewSessionParams,
  NewSessionResult,
  ResumeSessionParams,
  SetModeParams,
} from "./session.js";
import { ListSessionsParams, ListSessionsResult } from "./session-list.js";
import { SessionUpdateParams } from "./updates.js";

const methods = {
  initialize: request({ from: "client", params: InitializeParams, result: InitializeResult, spec: "5.1" }),
  authenticate: request({ from: "client", params: AuthenticateParams, result: EmptyResult, spec: "5.2" }),
  "session/new": request({ from: "client", params: NewSessionParams, result: NewSessionResult, spec: "5.3" }),
  "session/load": request({
    from: "client",
    params: LoadSessionParams,
    result: LoadSessionResult,
    spec: "5.4",
    capability: "loadSession",
  }),
  "session/prompt": request({ from: "client", params: PromptParams, result: PromptResult, spec: "5.5" }),
  "session/cancel": notification({ from: "client", params: CancelParams, spec: "5.6" }),
  "session/set_mode": request({ from: "client", params: SetModeParams, result: EmptyResult, spec: "5.7" }),
  "session/list": request({
    from: "client",
    params: ListSessionsParams,
    result: ListSessionsResult,
    optional: true,
    capability: "sessionCapabilities.list",
  }),
  "session/resume": request({
    from: "client",
    params: ResumeSessionParams,
    result: LoadSessionResult,
    optional: true,
    capability: "sessionCapabilities.resume",
  }),
  "session/close": request({
    from: "client",
    params: CloseSessionParams,
    result: EmptyResult,
    optional: true,
    capability: "sessionCapabilities.close",
  }),
  "session/request_permission": request({
    from: "agent",
    params: RequestPermissionParams,
    result: RequestPermissionResult,
    spec: "6.1",
  }),
  "session/update": notification({ from: "agent", params: SessionUpdateParams, spec: "8" }),
};

type Table = typeof methods;
/** The method table of ACP, as an interface so that compiler messages name it instead of spelling it out. */
export interface AcpMethods extends Table {}

/** ACP as a type, for `ParamsOf`, `ResultOf` and `Handlers`. */
export type Acp = Protocol<"client" | "agent", AcpMethods>;

/** What a method takes, by its name: `AcpParams<"session/list">`. */
export type AcpParams<Method extends keyof AcpMethods> = ParamsOf<Acp, Method>;

/** What a request answers, by its name: `AcpResult<"session/list">`. `never` for a notification. */
export type AcpResult<Method extends keyof AcpMethods> = ResultOf<Acp, Method>;

/** ACP: every method with its sender, params and result. The anchors are sections of the ACP specification. */
export const acp: Acp = defineProtocol({
  name: "acp",
  version: "1",
  roles: ["client", "agent"],
  session: "sessionId",
  methods,
});
