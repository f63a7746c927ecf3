export { acp, type Acp, type AcpParams, type AcpResult } from "./protocol.js";
export { type AcpProfile, acpProfiles, type AcpTraits } from "./profiles.js";
export { type DialectSign, signOf } from "./dialect-signs.js";
export { AcpErrorCode } from "./error-codes.js";
export {
  authRequired,
  isAuthRequired,
  isPromptInProgress,
  isSessionNotFound,
  mcpServersRefused,
  promptInProgress,
  sessionNotFound,
  unsupportedMode,
} from "./errors.js";
export { Implementation, protocolVersion } from "./initialize.js";
export { AgentCapabilities, ClientCapabilities } from "./capabilities.js";
export { AuthMethod, AuthVariable } from "./auth.js";
export { ConfigValue, type SelectConfigOption, SessionConfigOption } from "./config-options.js";
export { TerminalExitStatus } from "./terminals.js";
export { ElicitationProperty, ElicitationSchema, TitledChoice } from "./elicitation-form.js";
export type { ElicitationValue, FormElicitation, UrlElicitation } from "./elicitation.js";
export { Notice } from "./session-updates.js";
export { McpServer } from "./mcp-servers.js";
export { SessionMode, SessionModeState } from "./session.js";
export { SessionInfo } from "./session-list.js";
export type { StopReason } from "./prompt.js";
export { AudioContent, ContentBlock, EmbeddedResource, ImageContent, ResourceLink, TextContent } from "./content.js";
export {
  ToolCall,
  ToolCallContent,
  ToolCallDiff,
  ToolCallLocation,
  type ToolCallStatus,
  ToolCallUpdate,
  toolKinds,
} from "./tool-calls.js";
export { PermissionOption, type PermissionOptionKind, permissionOptionKinds, PermissionOutcome } from "./permission.js";
export { AvailableCommand, PlanEntry, SessionUpdate } from "./updates.js";
export type { Meta } from "./extensible.js";

// So that a program that reads and checks messages needs no other package.
export { type UnknownTag, validatorOf } from "@editwire/core";
