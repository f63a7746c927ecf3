export { type Call } from "./call.js";
export type { Calls } from "./calls.js";
export { createEngine, type Engine, type EngineOptions, type Receiver } from "./engine.js";
export { show, toJson } from "./json.js";
export type { AcceptNotification } from "./notifications.js";
export type { Reports } from "./reports.js";
export { type Answers, PeerErrorCode, type Requests } from "./requests.js";
export { sessionOf } from "./sessions.js";
export type { Tap } from "./tap.js";
