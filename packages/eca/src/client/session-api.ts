import type { ChatCommand, ChatContext, ChatHistoryContent, ChatHistoryMeta } from "@editwire/eca-schema";
import type { AskOptions, SessionSide } from "@editwire/session";
import type { EcaPermissionAnswer } from "./permission.js";
import type { EcaSessionState } from "./state.js";
import type { EcaToolCallState } from "./tool-call.js";
import type { EcaTurn } from "./turn.js";

/** How one prompt is sent. */
export interface EcaPromptOptions {
  /** Aborting it cancels the turn. */
  signal?: AbortSignal | undefined;
  /** Default: what was selected, else the server's. */
  model?: string | undefined;
  /** Such as `agent` or `plan`. Default: what was selected, else the server's. */
  behavior?: string | undefined;
  /** Default: the contexts of the session's state. */
  contexts?: readonly ChatContext[] | undefined;
  /** A preset of the model, in `v2026`. */
  variant?: string | undefined;
  /** Approves every tool call, in `v2026`. */
  trust?: boolean | undefined;
  /**
   * Joins texts that wait for the reader, while it is eight events or more behind: for a reader that only passes them
   * on. The rest of a joined event is that of its last text. Default false.
   */
  joinTexts?: boolean | undefined;
}

/** Which part of a session's past to ask for; the cursors come from an earlier page. Default: all of it. */
export interface EcaHistoryWindow {
  /** Contents at most: the last ones, or with `after` the first ones. */
  limit?: number | undefined;
  /** Before this cursor. */
  before?: string | undefined;
  /** Behind this cursor. */
  after?: string | undefined;
}

/** A part of a session's past, and where it is. */
export interface EcaHistoryPage {
  readonly contents: readonly ChatHistoryContent[];
  /** Absent when the server does not say. */
  readonly meta: ChatHistoryMeta | undefined;
}

/** A conversation with a server (wire: chat). One turn runs at a time; sessions run in parallel. */
export interface EcaSession extends SessionSide<EcaSessionState> {
  /** Absent until the server names a new session, in its answer to the first prompt. */
  readonly id: string | undefined;
  /** The session that started this one as its subagent, in `v2026`. Updates of a subagent go to `onUpdate`. */
  readonly parent: EcaSession | undefined;
  /** Starts a turn. Throws `WireError("invalid_params")` while another turn of this session runs. */
  prompt(prompt: string, options?: EcaPromptOptions): EcaTurn;
  /** The models, and the one that this session uses. */
  readonly models: EcaChoice;
  /** The agents (in `spec`: behaviors), and the one that this session uses. */
  readonly agents: EcaChoice;
  /**
   * Adds a message to the running turn: the model reads it at its next step (`chat/promptSteer`, in `v2026`). Throws
   * `WireError("invalid_params")` when no turn runs.
   */
  steer(message: string): Promise<void>;
  /** Takes back a message of `steer` that the model has not read (`chat/promptSteerRemove`, in `v2026`). */
  cancelSteer(): Promise<void>;
  /** The tool calls that wait for an answer, oldest first. */
  readonly permissions: readonly EcaToolCallState[];
  /** Answers whether a waiting tool call may run. Returns false when it does not wait. */
  answerPermission(toolCallId: string, answer: EcaPermissionAnswer): boolean;
  /** Replaces the contexts that are sent with the prompts. */
  setContexts(contexts: readonly ChatContext[]): void;
  /** Finds contexts to add, without those of the state. An empty query finds all. */
  queryContext(query: string, options?: AskOptions): Promise<ChatContext[]>;
  /** Finds files to add, in `v2026`. An empty query finds all. */
  queryFiles(query: string, options?: AskOptions): Promise<ChatContext[]>;
  /** Finds commands, which are prompted as `/name`. An empty query finds all. */
  queryCommands(query: string, options?: AskOptions): Promise<ChatCommand[]>;
  /** Makes the server forget the session. Its state is then empty, and a later prompt starts from the beginning. */
  delete(options?: AskOptions): Promise<void>;
  /** Sets the title (`chat/update`, in `v2026`). Throws `WireError("invalid_params")` for a session without an id. */
  rename(title: string, options?: AskOptions): Promise<void>;
  /** Approves every later tool call of the session, or no longer does (`chat/update`, in `v2026`). */
  trust(always: boolean, options?: AskOptions): Promise<void>;
  /** Makes the server delete the messages; the session stays, with its title (`chat/clear`, in `v2026`). */
  clear(options?: AskOptions): Promise<void>;
  /**
   * Takes back the messages from a prompt on, given by the `contentId` of a message of the user (`chat/rollback`, in
   * `v2026`). `tools` also undoes what tools have changed, on servers that can.
   */
  rollback(contentId: string, options?: AskOptions & { tools?: boolean | undefined }): Promise<void>;
  /** Marks the message, tool call or thought of this id with a name (`chat/addFlag`, in `v2026`). */
  addFlag(contentId: string, text: string, options?: AskOptions): Promise<void>;
  /** Removes a flag, given by its own `contentId` (`chat/removeFlag`, in `v2026`). */
  removeFlag(contentId: string, options?: AskOptions): Promise<void>;
  /**
   * Returns a part of the history, without a change of the state (`chat/history`, in `v2026`). `errorWord` of what it
   * throws is `cursor_expired` for a cursor that the server no longer knows.
   */
  history(window?: EcaHistoryWindow & AskOptions): Promise<EcaHistoryPage>;
  /**
   * Puts contents from before the state's first entry in front of it, at most `limit` of them (`chat/history`, in
   * `v2026`). Returns false when there is nothing more, or no room for it. For a session that was loaded with a
   * `limit`.
   */
  loadEarlier(options?: AskOptions & { limit?: number | undefined }): Promise<boolean>;
  /**
   * Copies the messages up to a prompt, including it, to a new session with the same contexts (`chat/fork`, in
   * `v2026`). The prompt is given by the `contentId` of a message of the user. Throws `WireError("invalid_result")`
   * when the server opens no new session.
   */
  fork(contentId: string, options?: AskOptions): Promise<EcaSession>;
}

/**
 * Decides whether a tool call that waits for the user may run. `undefined` leaves it open for
 * `session.answerPermission`. `signal` aborts when the turn is cancelled or ends, and a later answer is then ignored.
 * If it throws, the call is rejected.
 */
export type EcaPermissionHandler = (
  toolCall: EcaToolCallState,
  context: { readonly session: EcaSession; readonly signal: AbortSignal },
) => Promise<EcaPermissionAnswer | undefined>;

/** A choice that the user has, such as the model: for all sessions, or for one. It is the same in every dialect. */
export interface EcaChoice {
  /** Empty when the server has reported none. */
  readonly offered: readonly string[];
  /** The server's default, or what was selected since. */
  readonly selected: string | undefined;
  /**
   * Selects one. Later prompts ask for it. A server of 2026 is notified, and may answer with another selection. Throws
   * `WireError("invalid_params")` for one that is not offered.
   */
  select(name: string): Promise<void>;
  /**
   * Calls `listener` when the configuration that says what is offered and selected has changed. Returns a function that
   * ends this. It costs less than to subscribe to the state, whose entries are copied for each change.
   */
  subscribe(listener: () => void): () => void;
}
