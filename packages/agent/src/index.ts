// The agent.
export { type Agent, createAgent } from "./hub/agent.js";
export type { AgentDefinition, AgentLoadedSession, AgentOpenedSession, SessionSummary } from "./api/definition.js";
export type {
  AgentSession,
  PromptSessionOptions,
  AgentSessionOffer,
  NewSessionStart,
  SessionStart,
  WhenBusy,
  AgentSteer,
  AgentTurn,
  AgentTurnHandler,
  AskUserOptions,
  TurnEnd,
  AskContext,
  ChooseSignIn,
  ChosenSignIn,
  SessionView,
  ViewContext,
} from "./api/session.js";
export type { AgentEditor } from "./api/editor.js";
export type { AgentToolCall } from "./api/tool-call.js";
export type {
  AgentNewToolCall,
  AgentToolCallChange,
  AgentToolCallContent,
  AgentToolCallDiff,
  AgentToolCallLocation,
  AgentToolCallState,
  AgentToolCallStatus,
} from "./api/tool-call-state.js";
export type {
  AgentEvent,
  AgentFailure,
  AgentNotice,
  AgentPermission,
  AgentPermissionDecision,
  AgentPermissionOption,
  AgentPlanEntry,
  AgentQuestion,
  AgentQuestionOption,
  AgentStopReason,
  AgentUsage,
} from "./api/events.js";

// Tools that a model calls.
export type { RelayOptions } from "./adapters/relayed-calls.js";
export {
  type AgentTool,
  type AgentToolResult,
  callTool,
  type CallToolOptions,
  type ToolContext,
} from "./tools/tool.js";
export type { McpTool, McpToolAnnotations, McpToolCaller, McpToolsOptions } from "./tools/mcp-tool.js";
export { type McpClient, mcpTools } from "./tools/mcp-tools.js";

// The protocols that it is served over.
export type { FrontOptions } from "./shared/front.js";
export { toAcp } from "./acp/to-acp.js";
export { toEca } from "./eca/to-eca.js";
export { type HelixZedFrontOptions, toHelixZed } from "./helix-zed/to-helix-zed.js";
export type { HelixZedPolicies } from "./helix-zed/helix-zed-view.js";
export { type KaiakFrontOptions, toKaiak } from "./kaiak/to-kaiak.js";

// Clients that become agents, for gateways.
export { type FarEcaHandlers, fromEca } from "./eca/from-eca.js";
export { type FarAcpHandlers, fromAcp } from "./acp/from-acp.js";
export { fromHelixZed, type HelixZedGatewayOptions } from "./helix-zed/from-helix-zed.js";
export { type FarKaiakHandlers, fromKaiak, type KaiakGatewayOptions } from "./kaiak/from-kaiak.js";
export type { GatewayOptions } from "./far/far-options.js";

// Tools of an IDE.
export {
  type IdeToolset,
  type TurnToolResult,
  type TurnTools,
  turnTools,
  type TurnToolsOptions,
  type TurnToolsSource,
} from "./ide/turn-tools.js";

// How each protocol says what an agent says.
export { type Fact, facts, type ProtocolMapping, type Saying } from "./mapping/facts.js";
export { mapping } from "./mapping/mapping.js";

// The types of an agent's parts, so that it needs no other package.
export type {
  AuthMethod,
  AvailableCommand,
  ContentBlock,
  Implementation,
  McpServer,
  Meta,
  AcpPermissionAnswer,
  SessionConfigOption,
  SessionModeState,
} from "@editwire/acp";
export { type Diagnostic, isRemoteError, isWireError, RemoteError, WireError } from "@editwire/core";
