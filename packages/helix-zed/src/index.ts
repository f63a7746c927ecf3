// For hosts.
export { createHelixZedHost } from "./host/host.js";
export type { HelixZedAgentRecord, HelixZedHost, HelixZedEvent, HelixZedHostOptions } from "./host/api.js";
export type { HelixZedPromptOptions, HelixZedSession, HelixZedTurn } from "./host/session-api.js";
export type { HelixZedStopReason, HelixZedTurnEvent } from "./host/interaction.js";
export type { HelixZedPromptFields } from "./host/prompt-fields.js";
export type { HelixZedEntry, HelixZedSessionState } from "./host/session-state.js";
export {
  type HelixZedAnswerMessage,
  type HelixZedInteraction,
  type HelixZedInteractionState,
  type HelixZedSessionRecord,
  type HelixZedStore,
  type HelixZedStoredSession,
  responseOf,
} from "./host/records.js";
export { memoryStore } from "./host/memory-store.js";

// For agents.
export { createHelixZedAgent, type HelixZedAgentConnection } from "./agent/agent.js";
export type {
  HelixZedAgent,
  HelixZedAgentOptions,
  HelixZedConnectionState,
  HelixZedNewThread,
  HelixZedAgentTurn,
  HelixZedNewToolCall,
  HelixZedToolCall,
  HelixZedToolCallChange,
} from "./agent/api.js";
export type { HelixZedMessage } from "./agent/message.js";
export { backoff, type BackoffOptions } from "@editwire/session";

// For both.
export type { HelixZedToolCallState, HelixZedToolCallStatus } from "./shared/tool-call.js";
export {
  type HelixZedProfile,
  helixZedProfiles,
  type HelixZedTraits,
  type MessageRole,
  type Usage,
} from "@editwire/helix-zed-schema";
export {
  type Diagnostic,
  ErrorCode,
  isRemoteError,
  isWireError,
  RemoteError,
  WireError,
  type WireErrorCode,
} from "@editwire/core";
export type { Transport } from "@editwire/transport";
