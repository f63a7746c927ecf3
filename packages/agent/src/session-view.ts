import type { AcpPermissionAnswer } from "@editwire/acp";
import type { AgentEvent, AgentPermission, AgentQuestion } from "./events.js";
import type { AgentTurn } from "./turn.js";

/** What a view gets besides an event. */
export interface ViewContext {
  /** The turn that the event belongs to; `undefined` outside of turns. */
  readonly turn: AgentTurn | undefined;
  /** True when this view prompted that turn. */
  readonly own: boolean;
}

/** What a view gets besides a question. */
export interface AskContext extends ViewContext {
  /** Aborts when another view has answered, and when the turn was cancelled. */
  readonly signal: AbortSignal;
}

/**
 * Something that shows a session: a client of one protocol, or code of the application. A view that throws
 * `WireError("closed")` is detached.
 */
export interface SessionView {
  /** For diagnostics, such as `acp`. */
  readonly name: string;
  /**
   * Takes an event. While its promise is pending, the next event of the session waits, and so does the agent: for a
   * view that did not prompt the turn 5 seconds at most, and it is detached then.
   */
  event(event: AgentEvent, context: ViewContext): void | Promise<void>;
  /** Called when the agent looks for what the editor lends it, and the view that prompted has nothing to lend. */
  lendsNothing?(): void;
  /** Asks the user whether a tool may run; the first answer of all views counts. `undefined`: this view cannot ask. */
  permission?(permission: AgentPermission, context: AskContext): Promise<AcpPermissionAnswer | undefined>;
  /** Asks the user; the first answer of all views counts. `undefined`: there is no answer here. */
  question?(question: AgentQuestion, context: AskContext): Promise<string | undefined>;
}
