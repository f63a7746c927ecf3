// For backends.
export { createSmanBackend } from "./backend/backend.js";
export type {
  SmanBackend,
  SmanIdeQuery,
  SmanBackendOptions,
  SmanChat,
  SmanSite,
  SmanIde,
  SmanToolAnswer,
} from "./backend/api.js";
export { toolFailed } from "./backend/tool-failure.js";

// For plugins.
export { createSmanPlugin } from "./plugin/plugin.js";
export type {
  SmanPluginConnection,
  SmanConnectionState,
  SmanPlugin,
  SmanPluginOptions,
  SmanToolOptions,
} from "./plugin/api.js";
export type { BackoffOptions, AskOptions } from "@editwire/session";

// For both.
export {
  resultAsJson,
  type SmanProfile,
  smanProfiles,
  type SmanToolContext,
  type SmanToolHandlers,
  type SmanToolInputs,
  type SmanToolName,
  type SmanToolOutcome,
  type SmanTraits,
} from "@editwire/sman-schema";
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
