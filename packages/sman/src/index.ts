// For backends.
export { createSmanBackend } from "./backend/backend.js";
export type { SmanBackend, SmanBackendOptions, SmanChat, SmanSite, SmanIde } from "./backend/api.js";
export { toolFailed } from "./backend/tool-failure.js";

// For plugins.
export { createSmanPlugin } from "./plugin/plugin.js";
export type { SmanPluginConnection, SmanPlugin, SmanPluginOptions, SmanToolOptions } from "./plugin/api.js";

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
} from "@editwire/sman-schema";
export { type Diagnostic, ErrorCode, isRemoteError, isWireError, RemoteError, WireError } from "@editwire/core";
