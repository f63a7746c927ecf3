export { checkBinding, checkOptions, type OptionKinds } from "./options/check-options.js";
export {
  checkArray,
  checkCallable,
  checkFunction,
  checkFunctions,
  checkHandler,
  checkPermission,
  checkObject,
  checkText,
  shown,
} from "./options/checks.js";
export { beginning, WholeCharacters } from "./state/whole-characters.js";
// Options and listeners.
export {
  type AskOptions,
  type BindingOptions,
  claimTransport,
  definedAsk,
  type SplitOptions,
  splitOptions,
} from "./options/options.js";
export { isLoopback, requireCredentials, servedHosts, urlBelow, withToken } from "./options/reach.js";
export {
  callListener,
  failedToAnswer,
  type Listeners,
  safeListeners,
  safeStderr,
  toStderr,
  unheardToStderr,
  updateListener,
} from "./options/listeners.js";

export { listMcpTools } from "./mcp/tool-list.js";
export { readPages } from "./mcp/read-pages.js";

// The answering side.
export { AnsweredTurn, type TurnOutcome } from "./turns/answered-turn.js";
export { type Evictable, LatestMap, SessionMap } from "./sessions/session-map.js";
export { History, type HistoryLimits } from "./sessions/history.js";
export { HistoryMap, type WithHistory } from "./sessions/history-map.js";

export { memorySessionStore } from "./stores/memory-store.js";
export type { SessionLog, SessionRecord, SessionStore } from "./stores/session-store.js";

// The asking side.
export { AskingSession, type SessionLink, type SessionSide } from "./sessions/asking-session.js";
export { AskedTurn, type AskedTurnOptions, type TurnStream } from "./turns/asked-turn.js";
export { Entries, type EntryId, isOpenCall, maxTextChars, type NewEntry } from "./state/entries.js";
export { EntriesState } from "./state/entries-state.js";
export { EventQueue } from "./turns/event-queue.js";
export { DroppedMessages } from "./sessions/dropped.js";
export { EarlyMessages } from "./sessions/early.js";
export { type InitializedProtocol, InitializeWatch } from "./opening/initialize-watch.js";
export { EchoWatch } from "./opening/echo.js";
export { firstCall, whenSilent, writtenBy } from "./opening/silence.js";
export { RecentCalls } from "./turns/recent-calls.js";
export { permissionHandler, Questions } from "./sessions/questions.js";
export { Store } from "./state/store.js";

// The side that dials.
export { backoff, type BackoffOptions } from "./dialing/waits.js";
export { type ConnectionState, Dialer } from "./dialing/dialer.js";

// Both.
export { type ClientSide, clientSide, type Side } from "./options/sides.js";
