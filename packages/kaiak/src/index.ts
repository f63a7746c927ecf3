// For editors.
export { connectKaiak } from "./client/client.js";
export type {
  KaiakConfigureOptions,
  KaiakClient,
  KaiakClientOptions,
  KaiakNewSessionOptions,
  KaiakQuestionHandler,
} from "./client/api.js";
export type { KaiakPromptOptions, KaiakSession, KaiakTurn } from "./client/session-api.js";
export type { KaiakEntry, KaiakSessionState } from "./client/state.js";
export type {
  KaiakQuestion,
  KaiakStopReason,
  KaiakToolCallState,
  KaiakToolCallStatus,
  KaiakTurnEvent,
  KaiakUpdateEvent,
} from "./client/events.js";

// For servers.
export { serveKaiak } from "./server/server.js";
export type { KaiakServer, KaiakServerConnection, KaiakServerOptions } from "./server/api.js";
export type { KaiakServerSession } from "./server/session.js";
export type {
  KaiakTurnHandler,
  KaiakServerTurn,
  KaiakToolCall,
  KaiakNewFileModification,
  KaiakNewToolCall,
} from "./server/turn.js";

// Dialects, messages and errors, so that an application needs no other package.
export {
  type Configuration,
  configurationError,
  errorNameOf,
  type FixOptions,
  type FullConfiguration,
  type Incident,
  isInvalidParams,
  isSessionInUse,
  isSessionNotFound,
  kaiakError,
  KaiakErrorCode,
  type KaiakProfile,
  kaiakProfiles,
  type KaiakResult,
  type MigrationContext,
  sessionNotFound,
  type ToolPermission,
} from "@editwire/kaiak-schema";
export {
  type Connection,
  type Diagnostic,
  ErrorCode,
  isRemoteError,
  isWireError,
  RemoteError,
  WireError,
} from "@editwire/core";
