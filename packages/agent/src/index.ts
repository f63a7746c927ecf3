// The agent.
export { type Agent, createAgent } from "./hub/agent.js";
export type { AgentDefinition, AgentOpenedSession, SessionSummary } from "./api/definition.js";
export type {
  AgentSession,
  WhenBusy,
  AgentSteer,
  AgentTurn,
  AgentTurnHandler,
  TurnEnd,
  AskContext,
  SessionView,
} from "./api/session.js";
export type { AgentEditor } from "./api/editor.js";
export type { AgentToolCall } from "./api/tool-call.js";
export type {
  AgentNewToolCall,
  AgentToolCallContent,
  AgentToolCallState,
  AgentToolCallStatus,
} from "./api/tool-call-state.js";
export type {
  AgentEvent,
  AgentPermission,
  AgentPlanEntry,
  AgentQuestion,
  AgentStopReason,
  AgentUsage,
} from "./api/events.js";

// Tools that a model calls.
export { type AgentTool, type AgentToolResult, callTool, type ToolContext } from "./tools/tool.js";
export { mcpTools } from "./tools/mcp-tools.js";

// The protocols that it is served over.
export type { FrontOptions } from "./shared/front.js";
export { toAcp } from "./acp/to-acp.js";
export { toEca } from "./eca/to-eca.js";
export { type HelixZedFrontOptions, toHelixZed } from "./helix-zed/to-helix-zed.js";
export { type KaiakFrontOptions, toKaiak } from "./kaiak/to-kaiak.js";

// Clients that become agents, for gateways.
export { type FarEcaHandlers, fromEca } from "./eca/from-eca.js";
export { type FarAcpHandlers, fromAcp } from "./acp/from-acp.js";
export { fromHelixZed, type HelixZedGatewayOptions } from "./helix-zed/from-helix-zed.js";
export { type FarKaiakHandlers, fromKaiak, type KaiakGatewayOptions } from "./kaiak/from-kaiak.js";
export type { GatewayOptions } from "./far/far-options.js";

// Tools of an IDE.
export { type TurnTools, turnTools } from "./ide/turn-tools.js";

// How each protocol says what an agent says.
export type { ProtocolMapping } from "./mapping/facts.js";
export { mapping } from "./mapping/mapping.js";

// The types of an agent's parts, so that it needs no other package.
export type {
  AuthMethod,
  AvailableCommand,
  ContentBlock,
  McpServer,
  Meta,
  SessionConfigOption,
  SessionModeState,
} from "@editwire/acp";
export { type Diagnostic, isRemoteError, isWireError, RemoteError, WireError } from "@editwire/core";
