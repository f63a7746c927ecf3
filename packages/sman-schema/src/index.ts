export { addedMessages, sman, type Sman, type SmanParams } from "./protocol.js";
export { smanEnvelope } from "./envelope.js";
export { type SmanProfile, smanProfiles, type SmanTraits } from "./profiles.js";
export { resultAsJson } from "./result-as-json.js";
export { ToolResult } from "./tool-call.js";
export {
  smanToolDefaults,
  type SmanToolInputs,
  smanTools,
  type ToolSite,
} from "./tools.js";
export { isSmanToolName, type SmanToolName } from "./tool-names.js";
export type { SmanToolContext, SmanToolHandlers, SmanToolOutcome } from "./tool-handlers.js";
export { SmanErrorCode } from "./conversation.js";

// So that a program that reads and checks messages needs no other package.
export { validatorOf } from "@editwire/core";
