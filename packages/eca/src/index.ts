// For both sides.
export { ecaFraming } from "./wire.js";

// For editors.
export {
  connectEcaServer,
  type EcaChatOptions,
  type EcaClientMethods,
  type EcaClientOptions,
  type EcaServer,
} from "./client.js";
export type { EcaChat, EcaPromptOptions } from "./client-chat.js";
export type { EcaTurn } from "./client-turn.js";
export type { ApprovalAnswer, ApprovalHandler } from "./client-approval.js";
export type { DiagnosticsHandler, QuestionHandler } from "./client-editor.js";
export type { EcaServerState } from "./client-state.js";
export type { ChatEvent, StopReason, TurnEvent } from "./chat-events.js";
export {
  type ChatAction,
  type ChatState,
  emptyChat,
  openToolCalls,
  reduceChat,
  waitingToolCalls,
} from "./chat-state.js";
export type { ChatEntry } from "./chat-entries.js";
export type { ToolCallState, ToolCallStatus } from "./chat-tool-call.js";

// For servers.
export {
  type EcaServerConnection,
  type EcaServerHandlers,
  type EcaServerMethods,
  type EcaServerOptions,
  serveEca,
} from "./server.js";
export type { EcaServerInfo } from "./server-info.js";
export type { EcaServerChat, EcaUsage } from "./server-chat.js";
export type { ChatTurnHandler, EcaChatTurn, EcaQuestionOptions } from "./chat-turn.js";
export type { EcaNewToolCall, EcaToolCall, EcaToolCallChange } from "./chat-turn-tool-call.js";
