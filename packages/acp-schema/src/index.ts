export { acp, type Acp, type AcpParams, type AcpResult } from "./protocol.js";
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
export { AgentCapabilities, ClientCapabilities } from "./capabilities.js";
export { AuthenticateParams, AuthMethod, AuthVariable, LogoutParams } from "./auth.js";
export {
  ConfigValue,
  type SelectConfigOption,
  SessionConfigOption,
  SetConfigOptionParams,
  SetConfigOptionResult,
} from "./config-options.js";
export { ReadTextFileParams, ReadTextFileResult, WriteTextFileParams } from "./files.js";
export {
  CreateTerminalParams,
  CreateTerminalResult,
  TerminalExitStatus,
  TerminalOutputResult,
  TerminalParams,
} from "./terminals.js";
export { ElicitationProperty, ElicitationSchema, TitledChoice } from "./elicitation-form.js";
export {
  CompleteElicitationParams,
  CreateElicitationParams,
  CreateElicitationResult,
  type ElicitationValue,
  type FormElicitation,
  type UrlElicitation,
} from "./elicitation.js";
export { Notice } from "./session-updates.js";
export { McpServer } from "./mcp-servers.js";
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
export { PromptParams, PromptResult, type StopReason } from "./prompt.js";
export { AudioContent, ContentBlock, EmbeddedResource, ImageContent, ResourceLink, TextContent } from "./content.js";
export {
  ToolCall,
  ToolCallContent,
  ToolCallDiff,
  ToolCallLocation,
  type ToolCallStatus,
  ToolCallUpdate,
  toolKinds,
} from "./tool-calls.js";
export {
  PermissionOption,
  type PermissionOptionKind,
  permissionOptionKinds,
  PermissionOutcome,
  RequestPermissionParams,
  RequestPermissionResult,
} from "./permission.js";
export { AvailableCommand, PlanEntry, SessionUpdate, SessionUpdateParams } from "./updates.js";
export type { Meta } from "./extensible.js";

// So that a program that reads and checks messages needs no other package.
export { type UnknownTag, validatorOf } from "@editwire/core";
