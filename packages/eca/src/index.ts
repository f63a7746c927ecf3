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
  EcaQuestionHandler,
} from "./client/api.js";
export type {
  EcaSession,
  EcaPromptOptions,
  EcaHistoryPage,
  EcaChoice,
  EcaPermissionHandler,
} from "./client/session-api.js";
export type { EcaRewrite } from "./client/rewrite.js";
export type { EcaTurn } from "./client/turn.js";
export type { EcaPermissionAnswer } from "./client/permission.js";
export type { EcaServerState } from "./client/server-state.js";
export type { EcaUpdateEvent, EcaStopReason, EcaTurnEvent } from "./client/events.js";
export type { EcaSessionState } from "./client/state.js";
export type { EcaEntry } from "./client/entries.js";
export type { EcaToolCallState, EcaToolCallStatus } from "./client/tool-call.js";

// For servers.
export { serveEca } from "./server/server.js";
export type { EcaServerConnection, EcaServer, EcaServerOptions, EcaStoredSession } from "./server/api.js";
export type { EcaServerInfo } from "./server/info.js";
export type { EcaServerSession } from "./server/session-api.js";
export type { EcaTurnHandler, EcaServerTurn, EcaSteer } from "./server/turn.js";
export type { EcaNewToolCall, EcaToolCall, EcaToolCallChange, EcaToolOutput } from "./server/tool-call.js";

// Dialects, messages and errors, so that an application needs no other package.
export {
  type ChatCommand,
  type ChatContent,
  type ChatContext,
  type ChatHistoryContent,
  type ChatRole,
  type ChatSummary,
  type ClientCapabilities,
  type Eca,
  EcaErrorCode,
  type EcaParams,
  type EcaProfile,
  ecaProfiles,
  type EcaResult,
  errorWord,
  isRequestCancelled,
  isServerNotInitialized,
  type ToolCallDetails,
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
} from "@editwire/core";
