export { appendArguments } from "./append-arguments.js";
export { eca, type Eca, type EcaParams, type EcaResult } from "./protocol.js";
export { ClientCapabilities, ClientInfo, InitializationOptions, WorkspaceFolder } from "./lifecycle.js";
export { ChatContext, Position } from "./contexts.js";
export {
  ChatContent,
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
export { ChatCommand } from "./queries.js";
export {
  type ChatHistoryContent,
  type ChatStatus,
  type ChatSummary,
  ResultError,
  type ChatHistoryMeta,
} from "./chats.js";
export type { EditorDiagnostic, EditorLocation } from "./editor.js";
export { type CompletionInlineItem, FeatureError } from "./completion.js";
export { RewriteContent } from "./rewrite.js";
export type { ChatConfig } from "./config.js";
export { McpServerUpdatedParams } from "./tool-servers.js";
export { LoginAction, ProviderStatus } from "./providers.js";
export type { JobSummary } from "./jobs.js";
export type { MessageType } from "./messages.js";
export type { OpenEnum } from "./extensible.js";
export { ecaProfiles, type EcaProfile, type EcaTraits } from "./profiles.js";
export { EcaErrorCode, errorWord, isRequestCancelled, isServerNotInitialized, serverNotInitialized } from "./errors.js";

// So that a program that reads and checks messages needs no other package.
export { type UnknownTag, validatorOf } from "@editwire/core";
