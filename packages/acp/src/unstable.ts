export {
  type AcpUnstable,
  type AcpUnstableParams,
  type AuthStatus,
  type IdentifiedPlan,
  type ProviderInfo,
  type SystemPrompt,
  type TurnUsage,
  type UnstableMcpServer,
  type UnstableUpdate,
  unstableUpdateOf,
} from "@editwire/acp-schema/unstable";
export {
  type AcpProviders,
  type AcpUnstableAgent,
  systemPromptOf,
  unstableAgent,
} from "./unstable/agent.js";
export {
  type AcpUnstableClient,
  type AcpUnstableClientOptions,
  type McpProvider,
  unstableClient,
  unstableClientOf,
} from "./unstable/client.js";
export { type AcpUnstableSession, reportAuthStatus, unstableSessionOf } from "./unstable/session.js";
