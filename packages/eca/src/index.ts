// For both sides.
export { ecaFraming } from "./wire.js";

// For editors.
export {
  connectEca,
  type EcaSessionOptions,
  type EcaClientMethods,
  type EcaClientOptions,
  type EcaClient,
} from "./client.js";
export type { EcaSession, EcaPromptOptions } from "./client-session.js";
export type { EcaTurn } from "./client-turn.js";
export type { PermissionAnswer, PermissionHandler } from "./client-permission.js";
export type { DiagnosticsHandler, QuestionHandler } from "./client-editor.js";
export type { EcaServerState } from "./client-server-state.js";
export type { UpdateEvent, StopReason, TurnEvent } from "./client-events.js";
export {
  type SessionAction,
  type SessionState,
  emptySession,
  openToolCalls,
  reduceSession,
  waitingToolCalls,
} from "./client-state.js";
export type { SessionEntry } from "./client-entries.js";
export type { ToolCallState, ToolCallStatus } from "./client-tool-call.js";

// For servers.
export {
  type EcaServerConnection,
  type EcaServer,
  type EcaServerMethods,
  type EcaServerOptions,
  serveEca,
} from "./server.js";
export type { EcaServerInfo } from "./server-info.js";
export type { EcaServerSession, EcaUsage } from "./server-session.js";
export type { EcaTurnHandler, EcaServerTurn, EcaQuestionOptions } from "./server-turn.js";
export type { EcaNewToolCall, EcaToolCall, EcaToolCallChange, EcaToolOutput } from "./server-tool-call.js";
