export { kaiak, type Kaiak, type KaiakMethods, type KaiakParams, type KaiakResult } from "./protocol.js";
export { type KaiakProfile, kaiakProfiles, type KaiakTraits } from "./profiles.js";
export type { Answer, AnswerMessage } from "./answers.js";
export { unsentIn } from "./requests-2026.js";
export { commands, executeCommand, kaiakRoute } from "./route.js";
export { KaiakErrorCode, type KaiakErrorName } from "./error-codes.js";
export {
  configurationError,
  errorIn,
  errorNameOf,
  isInvalidParams,
  isSessionInUse,
  isSessionNotFound,
  kaiakError,
  sessionInUse,
  sessionNotFound,
} from "./errors.js";
export {
  AppliedConfiguration,
  Configuration,
  ConfigureParams,
  ConfigureResult,
  ModelConfiguration,
  PermissionsConfiguration,
  SessionConfiguration,
  ToolsConfiguration,
  type ToolPermission,
  toolPermissions,
  WorkspaceConfiguration,
} from "./configuration.js";
export { configurationDefaults, type FullConfiguration, withDefaults } from "./defaults.js";
export {
  CancelFixParams,
  CancelFixResult,
  FixOptions,
  type FixStatus,
  fixStatuses,
  GenerateFixParams,
  GenerateFixResult,
  Incident,
  maxIncidents,
  MigrationContext,
} from "./fixes.js";
export { CleanupSummary, DeleteSessionParams, DeleteSessionResult } from "./sessions.js";
export { InteractionRespondParams, InteractionResult, UserMessageParams } from "./interactions.js";
export { InitializeParams, InitializeResult, Nothing } from "./lifecycle.js";
export {
  type AiResponseContent,
  AiResponseParams,
  type ErrorContent,
  ErrorParams,
  type FileModificationContent,
  FileModificationParams,
  type InteractionType,
  type ProgressContent,
  ProgressParams,
  type StreamParams,
  type SystemContent,
  SystemParams,
  type ThinkingContent,
  ThinkingParams,
  type ToolCallContent,
  ToolCallParams,
  type ToolResult,
  type ToolStatus,
  type UserInteractionContent,
  UserInteractionParams,
} from "./stream.js";
export type { Open } from "./fields.js";

// So that a program that reads and checks messages needs no other package.
export { type Validator, validatorOf } from "@editwire/core";
