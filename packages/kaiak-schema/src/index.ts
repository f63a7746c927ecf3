export { kaiak, type Kaiak, type KaiakMethods, type KaiakParams, type KaiakResult } from "./protocol.js";
export { type KaiakProfile, kaiakProfiles, type KaiakTraits } from "./profiles.js";
export type { AnswerMessage } from "./answers.js";
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
export { Configuration, type ToolPermission } from "./configuration.js";
export { configurationDefaults, type FullConfiguration, withDefaults } from "./defaults.js";
export { FixOptions, type FixStatus, Incident, MigrationContext } from "./fixes.js";
export type {
  AiResponseContent,
  ErrorContent,
  FileModificationContent,
  InteractionType,
  ProgressContent,
  SystemContent,
  ToolResult,
  ToolStatus,
} from "./stream.js";

// So that a program that reads and checks messages needs no other package.
export { validatorOf } from "@editwire/core";
