// For hosts.
export { createHelixHost, type HelixHost } from "./host.js";
export type { HelixEvent, HelixHostOptions } from "./host-options.js";
export type { HelixInteraction, HelixSession, SendOptions } from "./host-session.js";
export type { InteractionEvent } from "./interaction.js";
export {
  type AnswerMessage,
  type InteractionRecord,
  type InteractionState,
  responseOf,
  type SessionRecord,
  type SessionStore,
  type StoredSession,
} from "./records.js";
export { memoryStore } from "./memory-store.js";

// For agents.
export { createZedAgent, type ZedAgent } from "./agent.js";
export type { ConnectionState, NewThread, TurnResult, ZedAgentHandlers, ZedAgentOptions } from "./agent-options.js";
export type { ZedMessage } from "./agent-message.js";
export type { ZedToolCall, ZedTurn } from "./agent-turn.js";
export { backoff, type BackoffOptions } from "./backoff.js";
