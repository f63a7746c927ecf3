export type { Calls } from "./calls.js";
export { charsOf } from "./chars.js";
export type { Received } from "./context.js";
export { Engine, type Receiver } from "./engine.js";
export { show, toJson } from "./json.js";
export type { PeerOptions } from "./options.js";
export type { Reports } from "./reports.js";
export { type Answers, PeerErrorCode } from "./requests.js";
export { receivedBy, type ReceiverParts } from "./receiver-parts.js";
