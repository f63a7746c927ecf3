// For both sides.
export { ecaFraming } from "./shared/peer.js";

// For editors.
export { connectEca } from "./client/client.js";
export type {
  EcaClient,
  EcaClientMethods,
  EcaClientOptions,
  EcaLoadSessionOptions,
  EcaNewSessionOptions,
  EcaDiagnosticsHandler,
  EcaEditorLocations,
  EcaEditorPlace,
  EcaLocationsHandler,
  EcaQuestionHandler,
} from "./client/api.js";
export type {
  EcaSession,
  EcaPromptOptions,
  EcaHistoryPage,
  EcaHistoryWindow,
  EcaChoice,
  EcaPermissionHandler,
} from "./client/session-api.js";
export type { EcaCompleteInline, EcaJobs, EcaMcpServers, EcaProviders } from "./client/asks.js";
export type { EcaRewrite, EcaRewriteOptions } from "./client/rewrite.js";
export type { EcaTurn } from "./client/turn.js";
export type { EcaPermissionAnswer } from "./client/permission.js";
export type { EcaServerState } from "./client/server-state.js";
export type { EcaUpdateEvent, EcaStopReason, EcaTurnEvent } from "./client/events.js";
export {
  type EcaSessionAction,
  type EcaSessionState,
  emptySession,
  openToolCalls,
  reduceSession,
  waitingToolCalls,
} from "./client/state.js";
export type { EcaEntry } from "./client/entries.js";
export type { EcaToolCallState, EcaToolCallStatus } from "./client/tool-call.js";

// For servers.
export { serveEca } from "./server/server.js";
export type {
  EcaServerConnection,
  EcaServer,
  EcaServerMethods,
  EcaServerOptions,
  EcaStartedTurn,
  EcaStoredSession,
} from "./server/api.js";
export type { EcaServerEditor } from "./server/editor.js";
export type { EcaServerInfo } from "./server/info.js";
export type { EcaServerSession } from "./server/session-api.js";
export type { EcaUsage } from "./server/usage.js";
export type { EcaTurnHandler, EcaServerTurn, EcaQuestionOptions, EcaSteer } from "./server/turn.js";
export type { EcaNewToolCall, EcaToolCall, EcaToolCallChange, EcaToolOutput } from "./server/tool-call.js";

// Dialects, messages and errors, so that an application needs no other package.
export {
  type ChatCommand,
  type ChatConfig,
  type ChatContent,
  type ChatContext,
  type ChatHistoryContent,
  type ChatRole,
  type ChatSummary,
  type ClientCapabilities,
  type ClientInfo,
  type Eca,
  EcaErrorCode,
  type EcaParams,
  type EcaProfile,
  ecaProfiles,
  type EcaResult,
  type EcaTraits,
  type EditorDiagnostic,
  errorWord,
  type InitializationOptions,
  isRequestCancelled,
  isServerNotInitialized,
  type MessageType,
  type ToolArguments,
  type ToolCallDetails,
  type ToolCallOrigin,
  type ToolCallOutput,
  type UsageContent,
  type WorkspaceFolder,
} from "@editwire/eca-schema";
export {
  type Connection,
  type Diagnostic,
  ErrorCode,
  isRemoteError,
  isWireError,
  RemoteError,
  WireError,
  type WireErrorCode,
} from "@editwire/core";
export type { AskOptions } from "@editwire/session";
export type { Transport } from "@editwire/transport";
