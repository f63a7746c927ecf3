export { acp, type Acp, type AcpMethods, type AcpParams, type AcpResult } from "./protocol.js";
export { type AcpProfile, acpProfiles, type AcpTraits } from "./profiles.js";
export { type DialectSign, signOf } from "./dialect-signs.js";
export { AcpErrorCode } from "./error-codes.js";
export {
  authRequired,
  isAuthRequired,
  isPromptInProgress,
  isSessionNotFound,
  mcpServersRefused,
  promptInProgress,
  sessionNotFound,
  unsupportedMode,
} from "./errors.js";
export { EmptyResult, Implementation, InitializeParams, InitializeResult, protocolVersion } from "./initialize.js";
export {
  AgentAuthCapabilities,
  AgentCapabilities,
  AuthCapabilities,
  ClientCapabilities,
  ClientSessionCapabilities,
  ConfigOptionsCapabilities,
  ElicitationCapabilities,
  FileSystemCapabilities,
  Marker,
  McpCapabilities,
  PromptCapabilities,
  SessionCapabilities,
} from "./capabilities.js";
export { AuthenticateParams, AuthMethod, AuthVariable, LogoutParams } from "./auth.js";
export {
  type BooleanConfigOption,
  ConfigValue,
  ConfigValueGroup,
  type SelectConfigOption,
  SessionConfigOption,
  type SetBooleanOptionParams,
  SetConfigOptionParams,
  SetConfigOptionResult,
  type SetSelectOptionParams,
} from "./config-options.js";
export { ReadTextFileParams, ReadTextFileResult, WriteTextFileParams } from "./files.js";
export {
  CreateTerminalParams,
  CreateTerminalResult,
  TerminalExitStatus,
  TerminalOutputResult,
  TerminalParams,
} from "./terminals.js";
export {
  BooleanProperty,
  ElicitationProperty,
  ElicitationSchema,
  IntegerProperty,
  MultiSelectProperty,
  NumberProperty,
  type PlainItems,
  StringProperty,
  TitledChoice,
  type TitledItems,
  type UnknownItems,
  type UnknownProperty,
} from "./elicitation-form.js";
export {
  CompleteElicitationParams,
  CreateElicitationParams,
  CreateElicitationResult,
  type ElicitationAccepted,
  type ElicitationCancelled,
  type ElicitationDeclined,
  type ElicitationValue,
  type FormElicitation,
  type UnknownElicitation,
  type UnknownElicitationResult,
  type UrlElicitation,
} from "./elicitation.js";
export {
  CompactionSummaryChunk,
  CompactionUpdate,
  ConfigOptionUpdate,
  Cost,
  Notice,
  SessionInfoUpdate,
  UsageUpdate,
} from "./session-updates.js";
export { McpServer, type McpServerHttp, type McpServerSse, type McpServerStdio, NameValue } from "./mcp-servers.js";
export { SessionId } from "./session-id.js";
export {
  CancelParams,
  CloseSessionParams,
  DeleteSessionParams,
  LoadSessionParams,
  LoadSessionResult,
  NewSessionParams,
  NewSessionResult,
  ResumeSessionParams,
  SessionMode,
  SessionModeState,
  SetModeParams,
} from "./session.js";
export { ListSessionsParams, ListSessionsResult, SessionInfo } from "./session-list.js";
export { PromptParams, PromptResult, type StopReason, stopReasons } from "./prompt.js";
export {
  Annotations,
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
  UserMessageChunk,
} from "./updates.js";
export { updateOf } from "./update-of.js";
export type { Extensible, Meta } from "./extensible.js";

// So that a program that reads and checks messages needs no other package.
export { type UnknownTag, type Validator, validatorOf } from "@editwire/core";
