export { AuthAccount, AuthStatus } from "./unstable/auth-status.js";
export {
  SystemPromptCapabilities,
  SystemPromptModes,
  UnstableAgentAuthCapabilities,
  UnstableAgentCapabilities,
  UnstableClientCapabilities,
  UnstableMcpCapabilities,
  UnstableSessionCapabilities,
} from "./unstable/capabilities.js";
export { UnstableInitializeParams, UnstableInitializeResult } from "./unstable/initialize.js";
export {
  McpMessageError,
  type McpMessageFailure,
  type McpMessageOutcome,
  McpMessageParams,
  McpMessageResult,
  type McpServerAcp,
  UnstableMcpServer,
} from "./unstable/mcp.js";
export { acpUnstableProfile } from "./unstable/profile.js";
export {
  type AcpUnstable,
  acpUnstable,
  type AcpUnstableMethods,
  type AcpUnstableParams,
  type AcpUnstableResult,
} from "./unstable/protocol.js";
export {
  DisableProviderParams,
  ListProvidersResult,
  ProviderConfig,
  ProviderInfo,
  SetProviderParams,
} from "./unstable/providers.js";
export { SuccessorParams, SuccessorResult } from "./unstable/proxies.js";
export {
  ForkSessionParams,
  ForkSessionResult,
  SessionParams,
  SessionStatusResult,
  SetSessionTitleParams,
  SetSessionTitleResult,
  SystemPrompt,
  UnstableListSessionsParams,
  UnstableListSessionsResult,
  UnstableLoadSessionParams,
  UnstableNewSessionParams,
  UnstableResumeSessionParams,
  UnstableSessionInfo,
} from "./unstable/sessions.js";
export {
  type BusyState,
  type IdleState,
  type OtherState,
  type StateError,
  SubagentSessionCapabilities,
  SubagentState,
  SubagentUpdate,
} from "./unstable/subagents.js";
export {
  AnyUpdate,
  IdentifiedPlan,
  IdentifiedPlanUpdate,
  PlanRemoved,
  type PlanInFile,
  type PlanInMarkdown,
  type PlanOfItems,
  SessionMessage,
  SessionMessageChunk,
  type UnstableUpdate,
  unstableUpdateOf,
  UnstableSessionUpdateParams,
} from "./unstable/updates.js";
export { TurnUsage, UnstablePromptResult } from "./unstable/usage.js";
