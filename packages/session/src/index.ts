export { checkBinding, checkOptions, type OptionKind, type OptionKinds } from "./check-options.js";
export {
  checkArray,
  checkCallable,
  checkFunction,
  checkHandler,
  checkNumber,
  checkObject,
  checkText,
  shown,
} from "./checks.js";
// Options and listeners.
export {
  type AskOptions,
  type BindingOptions,
  claimTransport,
  type SplitOptions,
  splitOptions,
} from "./options.js";
export { requireCredentials, servedHosts, urlBelow, withToken } from "./reach.js";
export {
  failedToAnswer,
  type Listeners,
  safeListeners,
  type StderrOptions,
  toStderr,
  unheardToStderr,
} from "./listeners.js";

// The answering side.
export { AnsweredTurn, type RunOptions, type TurnOutcome } from "./answered-turn.js";
export { type Evictable, SessionMap } from "./session-map.js";
export { History, type HistoryLimits, maxTextChars, stateLimits } from "./history.js";
export { HistoryMap, type WithHistory } from "./history-map.js";

export { memorySessionStore, type MemorySessionStoreOptions } from "./memory-session-store.js";
export type {
  SessionFields,
  SessionKey,
  SessionLog,
  SessionPage,
  SessionQuery,
  SessionRecord,
  SessionStore,
} from "./session-store.js";

// The asking side.
export { AskedTurn, type AskedTurnOptions, type StopEvent, type TurnStream } from "./asked-turn.js";
export { EventQueue } from "./event-queue.js";
export { EarlyMessages, type EarlyReport } from "./early.js";
export { InitializeWatch, type OtherProtocol } from "./other-protocol.js";
export { RecentCalls } from "./recent-calls.js";
export { Questions, type QuestionsOptions } from "./questions.js";
export { Store } from "./store.js";

// The side that dials.
export { backoff, type BackoffOptions } from "./backoff.js";
export { type ConnectionState, Dialer } from "./dialer.js";
export { pause } from "./waits.js";

// Both.
export { isAbort } from "./aborts.js";
