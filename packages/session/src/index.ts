export { checkBinding, checkOptions, type OptionKind, type OptionKinds } from "./check-options.js";
export {
  checkArray,
  checkCallable,
  checkFunction,
  checkFunctions,
  checkHandler,
  checkNumber,
  checkPermission,
  checkObject,
  checkText,
  shown,
} from "./checks.js";
export { beginning, WholeCharacters } from "./whole-characters.js";
// Options and listeners.
export {
  type AskOptions,
  type BindingOptions,
  claimTransport,
  type SplitOptions,
  splitOptions,
} from "./options.js";
export { isLoopback, requireCredentials, servedHosts, urlBelow, withToken } from "./reach.js";
export {
  callListener,
  failedToAnswer,
  type Listeners,
  safeListeners,
  safeStderr,
  type StderrOptions,
  toStderr,
  unheardToStderr,
  updateListener,
} from "./listeners.js";

export { type ListedMcpTool, listMcpTools, type ListMcpToolsOptions } from "./mcp-tool-list.js";
export { type ListPage, readPages } from "./read-pages.js";

// The answering side.
export { AnsweredTurn, type RunOptions, type TurnOutcome } from "./answered-turn.js";
export { type Evictable, SessionMap } from "./session-map.js";
export { History, type HistoryLimits } from "./history.js";
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
export { AskingSession, type SessionLink, type SessionSide } from "./asking-session.js";
export { AskedTurn, type AskedTurnOptions, type StopEvent, type TurnStream } from "./asked-turn.js";
export { Entries, type EntryId, isOpenCall, maxTextChars, type NewEntry } from "./entries.js";
export { EntriesState } from "./entries-state.js";
export { EventQueue } from "./event-queue.js";
export { DroppedMessages, type DroppedReport } from "./dropped.js";
export { EarlyMessages } from "./early.js";
export { type InitializedProtocol, InitializeWatch } from "./initialize-watch.js";
export { EchoWatch } from "./echo.js";
export { firstCall, whenSilent, writtenBy } from "./silence.js";
export { RecentCalls } from "./recent-calls.js";
export { permissionHandler, Questions, type QuestionsOptions } from "./questions.js";
export { Store } from "./store.js";

// The side that dials.
export { backoff, type BackoffOptions } from "./backoff.js";
export { type ConnectionState, Dialer } from "./dialer.js";
export { pause } from "./waits.js";

// Both.
export { LatestMap } from "./latest-map.js";
export { type ClientSide, clientSide, type Side } from "./sides.js";
export { isAbort } from "./aborts.js";
