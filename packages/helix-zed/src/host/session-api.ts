import type { HelixZedTurnEvent, HelixZedStopReason } from "./interaction.js";
import type { HelixZedPromptFields } from "./prompt-fields.js";
import type { HelixZedInteraction } from "./records.js";
import type { HelixZedSessionState } from "./session-state.js";

/** How a message is sent. */
export interface HelixZedPromptOptions extends HelixZedPromptFields {
  /**
   * Names the interaction. The same id with the same message gives the interaction that exists, so a caller that does
   * not know whether its message arrived can ask again. Default: a new id.
   */
  requestId?: string | undefined;
  /** Aborting it cancels the turn. */
  signal?: AbortSignal | undefined;
  /** 2026: cancels the running turn instead of waiting for it. It waits while the session has no thread yet. */
  interrupt?: boolean | undefined;
}

/**
 * A user's message and its answer: iterate it for its events, of which the last is `stop`; or await `stopReason` alone.
 * It may be iterated more than once, and leaving the loop early does not end it.
 */
export interface HelixZedTurn extends AsyncIterable<HelixZedTurnEvent> {
  readonly requestId: string;
  /**
   * How the turn ended, once that is durable. Rejects with what the store threw when the message could not be saved,
   * and with `WireError("closed")` when the host is closed first; the iteration throws the same. An agent's error is
   * the reason `error`.
   */
  readonly stopReason: Promise<HelixZedStopReason>;
  /** The ended interaction. Rejects like `stopReason`. */
  readonly interaction: Promise<HelixZedInteraction>;
  /**
   * Ends the turn as `cancelled`: at once when it was not sent or the agent is not connected, else as soon as the agent
   * says so. Rejects with `WireError("invalid_params")` when a connected agent has it and the profile cannot cancel.
   */
  cancel(): Promise<void>;
}

/** A conversation with an agent. One message waits for its answer at a time; sessions do not wait for each other. */
export interface HelixZedSession {
  readonly id: string;
  /** The id under which the session's agent dials. */
  readonly agentId: string;
  /**
   * The state that a view renders. It is complete from `host.session()` on for as long as the session has a subscriber
   * or a turn runs.
   */
  readonly state: HelixZedSessionState;
  /**
   * Calls the listener after each tick in which the state changed. Returns a function that ends it. It needs no `this`,
   * so that `useSyncExternalStore` of React and its like can take it.
   */
  readonly subscribe: (listener: (state: HelixZedSessionState) => void) => () => void;
  /**
   * Sends a message when those before it are answered and the agent is connected. It is durable before it leaves.
   * Throws `WireError("invalid_params")` for what cannot be sent, and `too_large` for a message of more than 10 Mi
   * characters.
   */
  prompt(message: string, options?: HelixZedPromptOptions): HelixZedTurn;
  /**
   * The turn of a request that was made before, also in another process. It rejects with `invalid_params` for an
   * unknown id.
   */
  watch(requestId: string): HelixZedTurn;
  /** Cancels all turns that wait. Rejects like the `cancel` of a turn. */
  cancel(): Promise<void>;
  /** All interactions, in order. Those that run have the answer as it is now. */
  interactions(): Promise<readonly HelixZedInteraction[]>;
  /** Maps the session to a thread that the agent has, or to none: the next message then begins a new one. */
  bind(threadId: string | undefined): Promise<void>;
  /** Gives the session another title. The protocol does not tell the agent. */
  rename(title: string): Promise<void>;
}
