import { defineProtocol, notification, type ParamsOf, type Protocol, request, type ResultOf } from "@editwire/core";
import * as chats from "./chats.js";
import { CompletionInlineParams, CompletionInlineResult } from "./completion.js";
import { ConfigUpdatedParams } from "./config.js";
import { ChatContentReceivedParams } from "./content.js";
import * as editor from "./editor.js";
import { JobParams, JobsKillResult, JobsListResult, JobsReadOutputResult } from "./jobs.js";
import * as lifecycle from "./lifecycle.js";
import * as mcp from "./mcp-management.js";
import { ProgressParams, ShowMessageParams } from "./messages.js";
import * as prompt from "./prompt.js";
import * as providers from "./providers.js";
import * as queries from "./queries.js";
import { RewriteContentReceivedParams, RewritePromptParams, RewritePromptResult } from "./rewrite.js";
import { ServerNameParams, ToolServerUpdatedParams } from "./tool-servers.js";

const { EmptyParams, EmptyResult } = lifecycle;
const { ChatParams } = prompt;

/** The methods of the specification, which every peer has. */
const common = {
  initialize: request({
    from: "client",
    params: lifecycle.InitializeParams,
    result: lifecycle.InitializeResult,
    spec: "#initialize",
  }),
  initialized: notification({ from: "client", params: EmptyParams, spec: "#initialized" }),
  shutdown: request({ from: "client", params: EmptyParams, result: lifecycle.ShutdownResult, spec: "#shutdown" }),
  exit: notification({ from: "client", params: EmptyParams, spec: "#exit" }),
  "chat/prompt": request({
    from: "client",
    params: prompt.ChatPromptParams,
    result: prompt.ChatPromptResult,
    spec: "#chat-prompt",
  }),
  "chat/contentReceived": notification({
    from: "server",
    params: ChatContentReceivedParams,
    spec: "#chat-content-received",
  }),
  "chat/toolCallApprove": notification({
    from: "client",
    params: prompt.ChatToolCallApproveParams,
    spec: "#chat-approve-tool-call",
  }),
  "chat/toolCallReject": notification({
    from: "client",
    params: prompt.ChatToolCallRejectParams,
    spec: "#chat-reject-tool-call",
  }),
  "chat/queryContext": request({
    from: "client",
    params: queries.ChatQueryContextParams,
    result: queries.ChatQueryContextResult,
    spec: "#chat-query-context",
  }),
  "chat/queryCommands": request({
    from: "client",
    params: queries.ChatQueryCommandsParams,
    result: queries.ChatQueryCommandsResult,
    spec: "#chat-query-commands",
  }),
  "chat/promptStop": notification({ from: "client", params: prompt.ChatPromptStopParams, spec: "#chat-stop-prompt" }),
  "chat/delete": request({ from: "client", params: chats.ChatDeleteParams, result: EmptyResult, spec: "#chat-delete" }),
  "tool/serverUpdated": notification({ from: "server", params: ToolServerUpdatedParams, spec: "#tool-updated" }),
  "mcp/stopServer": notification({ from: "client", params: ServerNameParams, spec: "#stop-mcp-server" }),
  "mcp/startServer": notification({ from: "client", params: ServerNameParams, spec: "#start-mcp-server" }),
  "$/showMessage": notification({ from: "server", params: ShowMessageParams, spec: "#showmessage" }),
};

/** Methods that servers and clients of 2026 added. All of them are optional. */
const later = {
  "workspace/didChangeWorkspaceFolders": notification({
    from: "client",
    params: lifecycle.DidChangeWorkspaceFoldersParams,
  }),
  "chat/promptSteer": notification({ from: "client", params: prompt.ChatPromptSteerParams }),
  "chat/promptSteerRemove": notification({ from: "client", params: ChatParams }),
  "chat/queryFiles": request({
    from: "client",
    params: queries.ChatQueryFilesParams,
    result: queries.ChatQueryFilesResult,
    optional: true,
  }),
  "chat/rollback": request({ from: "client", params: chats.ChatRollbackParams, result: EmptyResult, optional: true }),
  "chat/clear": request({ from: "client", params: chats.ChatClearParams, result: EmptyResult, optional: true }),
  "chat/addFlag": request({ from: "client", params: chats.ChatAddFlagParams, result: EmptyResult, optional: true }),
  "chat/removeFlag": request({ from: "client", params: chats.ChatContentParams, result: EmptyResult, optional: true }),
  "chat/fork": request({ from: "client", params: chats.ChatContentParams, result: EmptyResult, optional: true }),
  "chat/update": request({ from: "client", params: chats.ChatUpdateParams, result: EmptyResult, optional: true }),
  "chat/list": request({ from: "client", params: chats.ChatListParams, result: chats.ChatListResult, optional: true }),
  "chat/open": request({
    from: "client",
    params: chats.ChatHistoryParams,
    result: chats.ChatOpenResult,
    optional: true,
  }),
  "chat/history": request({
    from: "client",
    params: chats.ChatHistoryParams,
    result: chats.ChatHistoryResult,
    optional: true,
  }),
  "chat/selectedAgentChanged": notification({ from: "client", params: chats.ChatSelectedAgentChangedParams }),
  "chat/selectedModelChanged": notification({ from: "client", params: chats.ChatSelectedModelChangedParams }),
  "chat/selectedBehaviorChanged": notification({ from: "client", params: chats.ChatSelectedBehaviorChangedParams }),
  "chat/cleared": notification({ from: "server", params: chats.ChatClearedParams }),
  "chat/opened": notification({ from: "server", params: chats.ChatOpenedParams }),
  "chat/statusChanged": notification({ from: "server", params: chats.ChatStatusChangedParams }),
  "chat/deleted": notification({ from: "server", params: ChatParams }),
  "chat/askQuestion": request({
    from: "server",
    params: prompt.ChatAskQuestionParams,
    result: prompt.ChatAskQuestionResult,
    optional: true,
  }),
  "editor/getDiagnostics": request({
    from: "server",
    params: editor.EditorGetDiagnosticsParams,
    result: editor.EditorGetDiagnosticsResult,
    optional: true,
  }),
  "editor/getDefinition": request({
    from: "server",
    params: editor.EditorLocationParams,
    result: editor.EditorLocationResult,
    optional: true,
  }),
  "editor/getReferences": request({
    from: "server",
    params: editor.EditorLocationParams,
    result: editor.EditorLocationResult,
    optional: true,
  }),
  "completion/inline": request({
    from: "client",
    params: CompletionInlineParams,
    result: CompletionInlineResult,
    optional: true,
  }),
  "rewrite/prompt": request({
    from: "client",
    params: RewritePromptParams,
    result: RewritePromptResult,
    optional: true,
  }),
  "rewrite/contentReceived": notification({ from: "server", params: RewriteContentReceivedParams }),
  "config/updated": notification({ from: "server", params: ConfigUpdatedParams }),
  "tool/serverRemoved": notification({ from: "server", params: ServerNameParams }),
  "mcp/connectServer": notification({ from: "client", params: ServerNameParams }),
  "mcp/logoutServer": notification({ from: "client", params: ServerNameParams }),
  "mcp/disableServer": notification({ from: "client", params: ServerNameParams }),
  "mcp/enableServer": notification({ from: "client", params: ServerNameParams }),
  "mcp/updateServer": request({
    from: "client",
    params: mcp.McpUpdateServerParams,
    result: EmptyResult,
    optional: true,
  }),
  "mcp/addServer": request({
    from: "client",
    params: mcp.McpAddServerParams,
    result: mcp.McpAddServerResult,
    optional: true,
  }),
  "mcp/removeServer": request({
    from: "client",
    params: ServerNameParams,
    result: mcp.McpRemoveServerResult,
    optional: true,
  }),
  "providers/list": request({
    from: "client",
    params: EmptyParams,
    result: providers.ProvidersListResult,
    optional: true,
  }),
  "providers/login": request({
    from: "client",
    params: providers.ProvidersLoginParams,
    result: providers.LoginAction,
    optional: true,
  }),
  "providers/loginInput": request({
    from: "client",
    params: providers.ProvidersLoginInputParams,
    result: providers.LoginAction,
    optional: true,
  }),
  "providers/logout": request({
    from: "client",
    params: providers.ProviderParams,
    result: EmptyResult,
    optional: true,
  }),
  "providers/updated": notification({ from: "server", params: providers.ProviderStatus }),
  "jobs/list": request({ from: "client", params: EmptyParams, result: JobsListResult, optional: true }),
  "jobs/kill": request({ from: "client", params: JobParams, result: JobsKillResult, optional: true }),
  "jobs/readOutput": request({ from: "client", params: JobParams, result: JobsReadOutputResult, optional: true }),
  "jobs/updated": notification({ from: "server", params: JobsListResult }),
  "$/progress": notification({ from: "server", params: ProgressParams }),
};

const methods = { ...common, ...later };

type Table = typeof methods;
/** The method table of ECA, as an interface so that compiler messages name it instead of spelling it out. */
export interface EcaMethods extends Table {}

/** ECA as a type, for `ParamsOf`, `ResultOf` and `Handlers`. */
export type Eca = Protocol<"client" | "server", EcaMethods>;

/** The params of a method, by its name: `EcaParams<"chat/prompt">`. */
export type EcaParams<Method extends keyof EcaMethods> = ParamsOf<Eca, Method>;

/** The result of a request, by its name: `EcaResult<"chat/prompt">`. `never` for a notification. */
export type EcaResult<Method extends keyof EcaMethods> = ResultOf<Eca, Method>;

/**
 * ECA: every method with its sender, params and result. Methods with an anchor are the specification's; the others are
 * those of `v2026`, which a peer of 2025 does not have.
 */
export const eca: Eca = defineProtocol({
  name: "eca",
  version: "2025-08",
  roles: ["client", "server"],
  session: "chatId",
  methods,
});
