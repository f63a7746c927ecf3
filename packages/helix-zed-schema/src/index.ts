export { addedMessages, helixZed, type HelixZed, type HelixZedParams } from "./protocol.js";
export { helixZedEnvelope } from "./envelope.js";
export { type HelixZedProfile, helixZedProfiles, type HelixZedTraits } from "./profiles.js";
export { CancelCurrentTurnParams, ChatMessageParams, OpenThreadParams } from "./chat.js";
export { ContextCreatedParams, MessageAddedParams, MessageCompletedParams, type MessageRole, Usage } from "./answer.js";
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

// So that a program that reads and checks messages needs no other package.
export { validatorOf } from "@editwire/core";
