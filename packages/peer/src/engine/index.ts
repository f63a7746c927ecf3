export type { Calls } from "./calls.js";
export { Engine, type Receiver } from "./engine.js";
export { show, toJson } from "./json.js";
export type { Notifications } from "./notifications.js";
export type { OnWire } from "./on-wire.js";
export type { PeerOptions } from "./options.js";
export type { Reports } from "./reports.js";
export { type Answers, PeerErrorCode, type Requests } from "./requests.js";
export { sessionOf } from "./sessions.js";
