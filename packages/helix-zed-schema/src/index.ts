export { addedMessages, helixZed, type HelixZed, type HelixZedMethods, type HelixZedParams } from "./protocol.js";
export { helixZedEnvelope } from "./envelope.js";
export { type HelixZedProfile, helixZedProfiles, type HelixZedTraits } from "./profiles.js";
export { CancelCurrentTurnParams, ChatMessageParams, OpenThreadParams } from "./chat.js";
export {
  type AgentEvent,
  ContextCreatedParams,
  MessageAddedParams,
  MessageCompletedParams,
  type MessageRole,
  Usage,
} from "./answer.js";
export {
  AgentReadyParams,
  ChatResponseErrorParams,
  PingParams,
  ThreadCreatedParams,
  ThreadLoadErrorParams,
  ThreadTitleChangedParams,
  TurnCancelledParams,
  UserCreatedThreadParams,
} from "./events.js";
export {
  ChatResponseChunkParams,
  ChatResponseDoneParams,
  ChatResponseParams,
  ContextTitleChangedParams,
  MessageUpdatedParams,
} from "./legacy.js";
export { QueryUiStateParams, SimulateUserInputParams, UiStateResponseParams } from "./editor-tests.js";
export type { Extensible } from "./extensible.js";

// So that a program that reads and checks messages needs no other package.
export { type UnknownTag, type Validator, validatorOf } from "@editwire/core";
