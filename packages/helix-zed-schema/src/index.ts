export { addedMessages, helixZed, type HelixZed, type HelixZedParams } from "./protocol.js";
export { helixZedEnvelope } from "./envelope.js";
export { type HelixZedProfile, helixZedProfiles, type HelixZedTraits } from "./profiles.js";
export { type MessageRole, Usage } from "./answer.js";

// So that a program that reads and checks messages needs no other package.
export { validatorOf } from "@editwire/core";
