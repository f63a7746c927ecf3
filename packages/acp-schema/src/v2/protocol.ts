import { defineProtocol, notification, type ParamsOf, type Protocol, request, type ResultOf } from "@editwire/core";
import { AuthenticateParams, LogoutParams } from "../auth.js";
import { CompleteElicitationParams } from "../elicitation.js";
import { EmptyResult } from "../initialize.js";
import { CancelParams, CloseSessionParams, DeleteSessionParams } from "../session.js";
import { ListSessionsParams, ListSessionsResult } from "../session-list.js";
import { V2SetConfigOptionParams, V2SetConfigOptionResult } from "./config-options.js";
import { V2CreateElicitationParams, V2CreateElicitationResult } from "./elicitation.js";
import { V2InitializeParams, V2InitializeResult } from "./initialize.js";
import { V2RequestPermissionParams, V2RequestPermissionResult } from "./permission.js";
import { V2PromptParams, V2PromptResult } from "./prompt.js";
import {
  CancelTerminalParams,
  CancelToolCallParams,
  V2NewSessionParams,
  V2NewSessionResult,
  V2ResumeSessionParams,
  V2ResumeSessionResult,
} from "./sessions.js";
import { V2SessionUpdateParams } from "./updates.js";

const session = { from: "client", capability: "session" } as const;
const optional = { from: "client", optional: true } as const;

const methods = {
  initialize: request({
    from: "client",
    params: V2InitializeParams,
    result: V2InitializeResult,
    spec: "initialization#version-negotiation",
  }),
  "auth/login": request({
    ...optional,
    params: AuthenticateParams,
    result: EmptyResult,
    spec: "authentication",
  }),
  "auth/logout": request({ ...optional, params: LogoutParams, result: EmptyResult, spec: "authentication" }),
  "session/new": request({
    ...session,
    params: V2NewSessionParams,
    result: V2NewSessionResult,
    spec: "session-setup#creating-a-session",
  }),
  "session/list": request({
    ...session,
    params: ListSessionsParams,
    result: ListSessionsResult,
    spec: "session-list",
  }),
  "session/resume": request({
    ...session,
    params: V2ResumeSessionParams,
    result: V2ResumeSessionResult,
    spec: "session-setup#resuming-sessions",
  }),
  "session/close": request({
    ...session,
    params: CloseSessionParams,
    result: EmptyResult,
    spec: "session-setup#closing-active-sessions",
  }),
  "session/delete": request({
    ...optional,
    params: DeleteSessionParams,
    result: EmptyResult,
    spec: "session-delete",
    capability: "session.delete",
  }),
  "session/prompt": request({
    ...session,
    params: V2PromptParams,
    result: V2PromptResult,
    spec: "prompt-lifecycle#1-user-message",
  }),
  "session/cancel": notification({ ...session, params: CancelParams, spec: "prompt-lifecycle#cancellation" }),
  "session/set_config_option": request({
    ...optional,
    params: V2SetConfigOptionParams,
    result: V2SetConfigOptionResult,
    spec: "session-config-options#setting-a-config-option",
  }),
  "tool_call/cancel": request({
    ...optional,
    params: CancelToolCallParams,
    result: EmptyResult,
    spec: "tool-calls#cancelling-tool-calls",
  }),
  "terminal/cancel": request({
    ...optional,
    params: CancelTerminalParams,
    result: EmptyResult,
    spec: "tool-calls#cancelling-terminals",
  }),
  "session/request_permission": request({
    from: "agent",
    params: V2RequestPermissionParams,
    result: V2RequestPermissionResult,
    spec: "tool-calls#requesting-permission",
  }),
  "session/update": notification({
    from: "agent",
    params: V2SessionUpdateParams,
    spec: "prompt-lifecycle#3-agent-reports-output",
  }),
  "elicitation/create": request({
    from: "agent",
    params: V2CreateElicitationParams,
    result: V2CreateElicitationResult,
    optional: true,
    spec: "elicitation",
    capability: "elicitation",
  }),
  "elicitation/complete": notification({
    from: "agent",
    params: CompleteElicitationParams,
    spec: "elicitation",
    capability: "elicitation.url",
  }),
};

type Table = typeof methods;
/** The method table of version 2, as an interface so that compiler messages name it instead of spelling it out. */
export interface AcpV2Methods extends Table {}

/** Version 2 of ACP as a type, for `ParamsOf`, `ResultOf` and `Handlers`. */
export type AcpV2 = Protocol<"client" | "agent", AcpV2Methods>;

/** The params of a method of version 2, by its name: `AcpV2Params<"session/prompt">`. */
export type AcpV2Params<Method extends keyof AcpV2Methods> = ParamsOf<AcpV2, Method>;

/** The result of a request of version 2, by its name: `AcpV2Result<"session/prompt">`. `never` for a notification. */
export type AcpV2Result<Method extends keyof AcpV2Methods> = ResultOf<AcpV2, Method>;

/**
 * The draft of version 2 of ACP: every method with its sender, params and result. The anchors are pages and headings
 * of its documentation.
 */
export const acpV2: AcpV2 = defineProtocol({
  name: "acp",
  version: "2",
  roles: ["client", "agent"],
  session: "sessionId",
  methods,
});
