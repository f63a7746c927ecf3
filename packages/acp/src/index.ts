// For editors.
export { type AcpAgent, type AcpClientOptions, connectAcpAgent, type NewSessionOptions } from "./client.js";
export { type AcpHttpClientOptions, connectAcpHttp } from "./connect-http.js";
export type { AcpSession, UpdateListener } from "./client-session.js";
export type { AcpTurn } from "./turn.js";
export type { ToolCallState, TurnEvent, UpdateEvent } from "./events.js";
export { outcomeOf, type PermissionAnswer, type PermissionHandler } from "./permission.js";

// For agents.
export {
  type AcpAgentConnection,
  type AcpAgentHandlers,
  type AcpAgentOptions,
  serveAcpAgent,
  type StoredSession,
} from "./agent.js";
export type { AcpAgentSession, PermissionDecision } from "./agent-session.js";
export { type AcpAgentTurn, defaultPermissionOptions, type TurnHandler } from "./agent-turn.js";
export type { AcpToolCall, NewToolCall, ToolCallChange } from "./agent-tool-call.js";
export { defaultCapabilities, defaultModes } from "./agent-defaults.js";
