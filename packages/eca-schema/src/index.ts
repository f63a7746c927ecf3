export { appendArguments } from "./append-arguments.js";
export { eca, type Eca, type EcaParams, type EcaResult } from "./protocol.js";
export {
  ClientCapabilities,
  ClientInfo,
  DidChangeWorkspaceFoldersParams,
  InitializationOptions,
  InitializeParams,
  InitializeResult,
  WorkspaceFolder,
} from "./lifecycle.js";
export { ChatContext, Position } from "./contexts.js";
export {
  ChatAskQuestionParams,
  ChatAskQuestionResult,
  ChatPromptParams,
  ChatPromptResult,
  ChatPromptSteerParams,
  ChatPromptStopParams,
  ChatToolCallApproveParams,
  ChatToolCallRejectParams,
} from "./prompt.js";
export {
  ChatContent,
  ChatContentReceivedParams,
  type ChatRole,
  FlagContent,
  HookActionFinishedContent,
  HookActionStartedContent,
  ImageContent,
  ReasonFinishedContent,
  ReasonStartedContent,
  ReasonTextContent,
  URLContent,
  UsageContent,
  type UsageLimit,
} from "./content.js";
export {
  type ToolArguments,
  ToolCalledContent,
  type ToolCallOrigin,
  ToolCallOutput,
  ToolCallPrepareContent,
  ToolCallRejectedContent,
  type ToolCallRejectReason,
  ToolCallRunContent,
  ToolCallRunningContent,
} from "./tool-calls.js";
export { ToolCallDetails } from "./tool-details.js";
export {
  ChatCommand,
  ChatQueryCommandsParams,
  ChatQueryCommandsResult,
  ChatQueryContextParams,
  ChatQueryContextResult,
  ChatQueryFilesParams,
  ChatQueryFilesResult,
} from "./queries.js";
export {
  ChatAddFlagParams,
  ChatClearedParams,
  ChatClearParams,
  ChatContentParams,
  ChatDeleteParams,
  type ChatHistoryContent,
  ChatHistoryParams,
  ChatHistoryResult,
  ChatListParams,
  ChatListResult,
  ChatOpenedParams,
  ChatOpenResult,
  ChatRollbackParams,
  ChatSelectedAgentChangedParams,
  ChatSelectedBehaviorChangedParams,
  ChatSelectedModelChangedParams,
  type ChatStatus,
  ChatStatusChangedParams,
  type ChatSummary,
  ChatUpdateParams,
  ResultError,
  type ChatHistoryMeta,
} from "./chats.js";
export {
  type EditorDiagnostic,
  EditorGetDiagnosticsParams,
  EditorGetDiagnosticsResult,
  type EditorLocation,
  EditorLocationParams,
  EditorLocationResult,
} from "./editor.js";
export {
  type CompletionInlineItem,
  CompletionInlineParams,
  CompletionInlineResult,
  FeatureError,
} from "./completion.js";
export { RewriteContent, RewriteContentReceivedParams, RewritePromptParams, RewritePromptResult } from "./rewrite.js";
export { type ChatConfig, ConfigUpdatedParams } from "./config.js";
export { McpServerUpdatedParams, ToolServerUpdatedParams } from "./tool-servers.js";
export {
  McpAddServerParams,
  McpAddServerResult,
  McpRemoveServerResult,
  McpUpdateServerParams,
} from "./mcp-management.js";
export {
  LoginAction,
  ProvidersListResult,
  ProvidersLoginInputParams,
  ProvidersLoginParams,
  ProviderStatus,
} from "./providers.js";
export { JobsKillResult, JobsListResult, JobsReadOutputResult, type JobSummary } from "./jobs.js";
export { type MessageType, ProgressParams, ShowMessageParams } from "./messages.js";
export type { OpenEnum } from "./extensible.js";
export { ecaProfiles, type EcaProfile, type EcaTraits } from "./profiles.js";
export { EcaErrorCode, errorWord, isRequestCancelled, isServerNotInitialized, serverNotInitialized } from "./errors.js";

// So that a program that reads and checks messages needs no other package.
export { type UnknownTag, validatorOf } from "@editwire/core";
