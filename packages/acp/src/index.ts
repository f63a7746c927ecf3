// For editors.
export { connectAcp } from "./client/client.js";
export type {
  AcpClient,
  AcpClientOptions,
  AcpListSessionsOptions,
  AcpLoadSessionOptions,
  AcpNewSessionOptions,
} from "./client/api.js";
export type { AcpAskOptions, AcpPromptOptions, AcpSession, AcpUpdateListener } from "./client/session-api.js";
export type {
  AcpElicitation,
  AcpFileSystem,
  AcpServiceContext,
  AcpServices,
  AcpTerminals,
  AcpElicitationHandler,
} from "./client/services.js";
export { type AcpDialOptions, dialAcp } from "./network/dial.js";
export {
  type AcpNewMcpServer,
  type AcpNewRemoteServer,
  type AcpNewStdioServer,
  mcpServerOf,
} from "./mcp/server-forms.js";
export type { AcpEntry } from "./client/entries.js";
export type { AcpSessionState } from "./client/state.js";
export { type AcpModel, type AcpModelState, choiceIn, modelsIn, modesIn, withMode } from "./client/config-choices.js";
export type { AcpTurn } from "./client/turn.js";
export type { AcpContextUsage, AcpToolCallState, AcpTurnEvent, AcpUpdateEvent } from "./client/events.js";
export {
  ambiguityOf,
  outcomeOf,
  type AcpPermissionAnswer,
  type AcpPermissionHandler,
  type AcpPermissionQuestion,
} from "./client/permission.js";
export {
  formAnswer,
  type AcpFormAnswer,
  type AcpFormChoice,
  type AcpFormField,
  formFields,
  type AcpFormIssue,
} from "./shared/elicitation-fields.js";
export {
  type AcpFillForm,
  type AcpForm,
  formElicitation,
  type AcpPageRequest,
  urlElicitation,
  type AcpUrlElicitationOptions,
} from "./client/elicitation-handlers.js";
export { type AcpSignInKind, signInKind, type AcpSignInVariable, signInVariables } from "./shared/sign-in.js";
export {
  permissionPolicy,
  type AcpPermissionPolicyOptions,
  type AcpPermissionRule,
} from "./client/permission-policy.js";

// For agents.
export { serveAcp } from "./agent/agent.js";
export type {
  AcpAgent,
  AcpAgentConnection,
  AcpAgentOptions,
  AcpOpenedSession,
  AcpSessionStore,
  AcpSessionOffer,
  AcpStoredSession,
} from "./agent/api.js";
export type {
  AcpAgentClient,
  AcpTerminal,
  AcpElicitationQuestion,
  AcpNewTerminal,
  AcpTextRange,
} from "./agent/client-services.js";
export type { AcpCallerContext, AcpRequestContext } from "./agent/request.js";
export type { AcpAgentSession } from "./agent/session-api.js";
export type { AcpPermissionDecision } from "./agent/session-client.js";
export type { AcpAnswer, AcpAnswered } from "./shared/confirmation.js";
export type { AcpPrompt, AcpTurns } from "./agent/asked-prompt.js";
export { type AcpAgentTurn, type AcpSteer, defaultPermissionOptions, type AcpTurnHandler } from "./agent/turn.js";
export type { AcpToolCall, AcpNewToolCall, AcpToolCallChange } from "./agent/tool-call.js";
export { withConfigValue } from "./agent/settings.js";
export { specCapabilities, specModes } from "./agent/modes.js";

// For both.
export {
  type AcpExtension,
  type AcpExtensionCalls,
  type AcpExtensionProtocol,
  defineAcpExtension,
} from "./shared/extension.js";
export type { AcpServedExtension } from "./shared/served-extension.js";

// Dialects, messages and errors, so that an application needs no other package.
export {
  AcpErrorCode,
  type AcpParams,
  type AcpProfile,
  acpProfiles,
  type AcpResult,
  type AcpTraits,
  type AgentCapabilities,
  type AuthMethod,
  authRequired,
  type AuthVariable,
  type AvailableCommand,
  type ClientCapabilities,
  type ContentBlock,
  type ElicitationProperty,
  type ElicitationSchema,
  type ElicitationValue,
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
  type SessionInfo,
  type SessionMode,
  type SessionModeState,
  type SessionUpdate,
  type StopReason,
  type TerminalExitStatus,
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
  type Fallback,
  isRemoteError,
  isWireError,
  notification,
  RemoteError,
  request,
  WireError,
  type WireErrorCode,
} from "@editwire/core";
export {
  type AskOptions,
  memorySessionStore,
  type MemorySessionStoreOptions,
  type SessionFields,
  type SessionKey,
  type SessionLog,
  type SessionPage,
  type SessionQuery,
  type SessionRecord,
  type SessionStore,
} from "@editwire/session";
export type { Transport } from "@editwire/transport";
