export { acp, type Acp, type AcpMethods, type AcpParams, type AcpResult } from "./protocol.js";
export { type AcpProfile, acpProfiles, type AcpTraits } from "./profiles.js";
export { type DialectSign, signOf } from "./dialect-signs.js";
export { AcpErrorCode } from "./error-codes.js";
export {
  isPromptInProgress,
  isSessionNotFound,
  mcpServersRefused,
  promptInProgress,
  sessionNotFound,
  unsupportedMode,
} from "./errors.js";
export {
  AgentCapabilities,
  AuthenticateParams,
  AuthMethod,
  ClientCapabilities,
  EmptyResult,
  Implementation,
  InitializeParams,
  InitializeResult,
  McpCapabilities,
  PromptCapabilities,
  protocolVersion,
} from "./initialize.js";
export { McpServer, type McpServerHttp, type McpServerSse, type McpServerStdio, NameValue } from "./mcp-servers.js";
export {
  CancelParams,
  LoadSessionParams,
  LoadSessionResult,
  NewSessionParams,
  NewSessionResult,
  SessionId,
  SessionMode,
  SessionModeState,
  SetModeParams,
} from "./session.js";
export { ListSessionsParams, ListSessionsResult, SessionInfo } from "./session-list.js";
export { PromptParams, PromptResult, type StopReason, stopReasons } from "./prompt.js";
export {
  AudioContent,
  type BlobResource,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
  type TextResource,
  type UnknownContent,
} from "./content.js";
export {
  ToolCall,
  ToolCallBlock,
  ToolCallContent,
  ToolCallDiff,
  ToolCallLocation,
  type ToolCallStatus,
  toolCallStatuses,
  ToolCallTerminal,
  ToolCallUpdate,
  toolKinds,
  type UnknownToolCallContent,
} from "./tool-calls.js";
export {
  PermissionOption,
  type PermissionCancelled,
  type PermissionOptionKind,
  permissionOptionKinds,
  PermissionOutcome,
  type PermissionSelected,
  RequestPermissionParams,
  RequestPermissionResult,
} from "./permission.js";
export {
  AgentMessageChunk,
  AgentThoughtChunk,
  AvailableCommand,
  type AvailableCommandInput,
  AvailableCommandsUpdate,
  CurrentModeUpdate,
  PlanEntry,
  PlanUpdate,
  SessionUpdate,
  SessionUpdateParams,
  ToolCallProgress,
  ToolCallStart,
  type UnknownUpdate,
  updateOf,
  UserMessageChunk,
} from "./updates.js";
export type { Extensible, Meta } from "./extensible.js";

// So that a program that reads and checks messages needs no other package.
export { type UnknownTag, type Validator, validatorOf } from "@editwire/core";
