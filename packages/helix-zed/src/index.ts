// For hosts.
export { createHelixZedHost } from "./host/host.js";
export type { HelixZedHost, HelixZedEvent, HelixZedHostOptions } from "./host/api.js";
export type { HelixZedPromptOptions, HelixZedSession, HelixZedTurn } from "./host/session-api.js";
export type { HelixZedStopReason, HelixZedTurnEvent } from "./host/interaction.js";
export type { HelixZedEntry, HelixZedSessionState } from "./host/session-state.js";
export {
  type HelixZedAnswerMessage,
  type HelixZedInteraction,
  type HelixZedSessionRecord,
  type HelixZedStore,
  responseOf,
} from "./host/records.js";
export { memoryStore } from "./host/memory-store.js";

// For agents.
export { createHelixZedAgent, type HelixZedAgentConnection } from "./agent/agent.js";
export type {
  HelixZedAgent,
  HelixZedAgentOptions,
  HelixZedNewThread,
  HelixZedAgentTurn,
  HelixZedNewToolCall,
  HelixZedToolCall,
  HelixZedToolCallChange,
} from "./agent/api.js";
export type { HelixZedMessage } from "./agent/message.js";
export { backoff } from "@editwire/session";

// For both.
export type { HelixZedToolCallState, HelixZedToolCallStatus } from "./shared/tool-call.js";
export { type HelixZedProfile, helixZedProfiles, type MessageRole, type Usage } from "@editwire/helix-zed-schema";
export { type Diagnostic, ErrorCode, isRemoteError, isWireError, RemoteError, WireError } from "@editwire/core";
