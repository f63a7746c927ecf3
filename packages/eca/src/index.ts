// For both sides.
export { ecaFraming, ecaPeer } from "./wire.js";

// For servers.
export { type EcaServerConnection, type EcaServerHandlers, type EcaServerMethods, type EcaServerOptions, serveEca } from "./server.js";
export type { EcaServerInfo } from "./server-info.js";
export type { EcaServerChat, EcaUsage } from "./server-chat.js";
export type { ChatTurnHandler, EcaChatTurn } from "./chat-turn.js";
export type { EcaNewToolCall, EcaToolCall, EcaToolCallChange } from "./chat-turn-tool-call.js";
