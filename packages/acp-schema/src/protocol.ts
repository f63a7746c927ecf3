import { defineProtocol, notification, type ParamsOf, type Protocol, request, type ResultOf } from "@editwire/core";
import { AuthenticateParams, LogoutParams } from "./auth.js";
import { SetConfigOptionParams, SetConfigOptionResult } from "./config-options.js";
import { CompleteElicitationParams, CreateElicitationParams, CreateElicitationResult } from "./elicitation.js";
import { ReadTextFileParams, ReadTextFileResult, WriteTextFileParams } from "./files.js";
import { EmptyResult, InitializeParams, InitializeResult } from "./initialize.js";
import { RequestPermissionParams, RequestPermissionResult } from "./permission.js";
import { PromptParams, PromptResult } from "./prompt.js";
import {
  CancelParams,
  CloseSessionParams,
  DeleteSessionParams,
  LoadSessionParams,
  LoadSessionResult,
  NewSessionParams,
  NewSessionResult,
  ResumeSessionParams,
  SetModeParams,
} from "./session.js";
import { ListSessionsParams, ListSessionsResult } from "./session-list.js";
import {
  CreateTerminalParams,
  CreateTerminalResult,
  TerminalExitStatus,
  TerminalOutputResult,
  TerminalParams,
} from "./terminals.js";
import { SessionUpdateParams } from "./updates.js";

const terminal = { from: "agent", optional: true, capability: "terminal" } as const;

/** Requests that an agent may send to a client that announces them. */
const clientServices = {
  "fs/read_text_file": request({
    from: "agent",
    params: ReadTextFileParams,
    result: ReadTextFileResult,
    optional: true,
    capability: "fs.readTextFile",
  }),
  "fs/write_text_file": request({
    from: "agent",
    params: WriteTextFileParams,
    result: EmptyResult,
    optional: true,
    capability: "fs.writeTextFile",
  }),
  "terminal/create": request({ ...terminal, params: CreateTerminalParams, result: CreateTerminalResult }),
  "terminal/output": request({ ...terminal, params: TerminalParams, result: TerminalOutputResult }),
  "terminal/wait_for_exit": request({ ...terminal, params: TerminalParams, result: TerminalExitStatus }),
  "terminal/kill": request({ ...terminal, params: TerminalParams, result: EmptyResult }),
  "terminal/release": request({ ...terminal, params: TerminalParams, result: EmptyResult }),
  "elicitation/create": request({
    from: "agent",
    params: CreateElicitationParams,
    result: CreateElicitationResult,
    optional: true,
    capability: "elicitation",
  }),
  "elicitation/complete": notification({
    from: "agent",
    params: CompleteElicitationParams,
    capability: "elicitation.url",
  }),
};

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
  "session/delete": request({
    from: "client",
    params: DeleteSessionParams,
    result: EmptyResult,
    optional: true,
    capability: "sessionCapabilities.delete",
  }),
  "session/set_config_option": request({
    from: "client",
    params: SetConfigOptionParams,
    result: SetConfigOptionResult,
    optional: true,
  }),
  logout: request({
    from: "client",
    params: LogoutParams,
    result: EmptyResult,
    optional: true,
    capability: "auth.logout",
  }),
  "session/request_permission": request({
    from: "agent",
    params: RequestPermissionParams,
    result: RequestPermissionResult,
    spec: "6.1",
  }),
  "session/update": notification({ from: "agent", params: SessionUpdateParams, spec: "8" }),
  ...clientServices,
};

type Table = typeof methods;
/** The method table of ACP, as an interface so that compiler messages name it instead of spelling it out. */
export interface AcpMethods extends Table {}

/** ACP as a type, for `ParamsOf`, `ResultOf` and `Handlers`. */
export type Acp = Protocol<"client" | "agent", AcpMethods>;

/** The params of a method, by its name: `AcpParams<"session/list">`. */
export type AcpParams<Method extends keyof AcpMethods> = ParamsOf<Acp, Method>;

/** The result of a request, by its name: `AcpResult<"session/list">`. `never` for a notification. */
export type AcpResult<Method extends keyof AcpMethods> = ResultOf<Acp, Method>;

/** ACP: every method with its sender, params and result. The anchors are sections of the ACP specification. */
export const acp: Acp = defineProtocol({
  name: "acp",
  version: "1",
  roles: ["client", "agent"],
  session: "sessionId",
  methods,
});
