// For editors.
export { connectAcp } from "./client/client.js";
export type { AcpClient, AcpClientOptions, AcpLoadSessionOptions, AcpNewSessionOptions } from "./client/api.js";
export type { AcpAskOptions, AcpPromptOptions, AcpSession } from "./client/session-api.js";
export type { AcpElicitation, AcpFileSystem, AcpServices, AcpTerminals } from "./client/services.js";
export { type AcpDialOptions, dialAcp } from "./network/dial.js";
export { type AcpNewMcpServer, mcpServerOf } from "./mcp/server-forms.js";
export type { AcpEntry } from "./client/entries.js";
export type { AcpSessionState } from "./client/state.js";
export { type AcpModelState, choiceIn, modelsIn, modesIn, withMode } from "./client/config-choices.js";
export type { AcpTurn } from "./client/turn.js";
export type { AcpToolCallState, AcpTurnEvent, AcpUpdateEvent } from "./client/events.js";
export {
  ambiguityOf,
  outcomeOf,
  type AcpPermissionAnswer,
  type AcpPermissionHandler,
  type AcpPermissionQuestion,
} from "./client/permission.js";
export { formAnswer, type AcpFormField, formFields } from "./shared/elicitation-fields.js";
export { type AcpFillForm, type AcpForm, formElicitation, urlElicitation } from "./client/elicitation-handlers.js";
export { signInKind, signInVariables } from "./shared/sign-in.js";
export { permissionPolicy } from "./client/permission-policy.js";

// For agents.
export { serveAcp } from "./agent/agent.js";
export type { AcpAgent, AcpAgentConnection, AcpAgentOptions, AcpSessionStore, AcpStoredSession } from "./agent/api.js";
export type { AcpAgentClient, AcpTerminal, AcpElicitationQuestion } from "./agent/client-services.js";
export type { AcpRequestContext } from "./agent/request.js";
export type { AcpAgentSession } from "./agent/session-api.js";
export type { AcpPrompt } from "./agent/asked-prompt.js";
export { type AcpAgentTurn, type AcpSteer, defaultPermissionOptions, type AcpTurnHandler } from "./agent/turn.js";
export type { AcpToolCall, AcpNewToolCall, AcpToolCallChange } from "./agent/tool-call.js";
export { withConfigValue } from "./agent/settings.js";
export { specCapabilities, specModes } from "./agent/modes.js";

// For both.
export { type AcpExtension, defineAcpExtension } from "./shared/extension.js";

// Dialects, messages and errors, so that an application needs no other package.
export {
  AcpErrorCode,
  type AcpParams,
  type AcpProfile,
  acpProfiles,
  type AcpResult,
  type AgentCapabilities,
  type AuthMethod,
  authRequired,
  type AvailableCommand,
  type ClientCapabilities,
  type ContentBlock,
  type ElicitationSchema,
  type FormElicitation,
  type Implementation,
  isAuthRequired,
  isPromptInProgress,
  isSessionNotFound,
  type McpServer,
  type Meta,
  type PermissionOption,
  type PermissionOptionKind,
  type PlanEntry,
  type SessionConfigOption,
  type SessionMode,
  type SessionModeState,
  type SessionUpdate,
  type StopReason,
  type ToolCallContent,
  type ToolCallLocation,
  type ToolCallStatus,
  type ToolCallUpdate,
  type UrlElicitation,
} from "@editwire/acp-schema";
export {
  type Connection,
  type Diagnostic,
  ErrorCode,
  isRemoteError,
  isWireError,
  notification,
  RemoteError,
  request,
  WireError,
} from "@editwire/core";
export { memorySessionStore, type SessionLog, type SessionRecord, type SessionStore } from "@editwire/session";
