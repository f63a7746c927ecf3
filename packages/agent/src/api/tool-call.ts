import { startTimer } from "@editwire/core/timers";
import {
  announced,
  changed,
  isEnd,
  type AgentNewToolCall,
  type AgentToolCallChange,
  type AgentToolCallState,
  type AgentToolCallStatus,
} from "./tool-call-state.js";

/** An announced tool call. It ends once, by `complete`, `fail` or `reject`; later changes are ignored. */
export interface AgentToolCall {
  readonly toolCallId: string;
  /** All that is known of the call now. */
  readonly state: AgentToolCallState;
  /** Says that the call runs; `update` says it, too. */
  start(): void | Promise<void>;
  /** Sends what changed while the call runs. */
  update(change: AgentToolCallChange): void | Promise<void>;
  /** Ends it as `completed`. */
  complete(change?: AgentToolCallChange): void | Promise<void>;
  /** Ends it as `failed`. */
  fail(change?: AgentToolCallChange): void | Promise<void>;
  /** Ends it as `rejected`. A call that the user rejected has ended already. */
  reject(change?: AgentToolCallChange): void | Promise<void>;
  /** Gives the call another status, for agents whose calls are run elsewhere. */
  change(status: AgentToolCallStatus, change: AgentToolCallChange): void | Promise<void>;
}

export interface ToolCallParts {
  readonly send: (toolCall: AgentToolCallState) => void | Promise<void>;
  readonly onEnd: () => void;
  /** Throws when the turn is over. */
  readonly check: () => void;
}

/** An `AgentToolCall` with the part that its turn uses. */
export class RunningToolCall implements AgentToolCall {
  readonly toolCallId: string;
  readonly #parts: ToolCallParts;
  #state: AgentToolCallState;
  #stopTimer = (): void => {};

  constructor(call: AgentNewToolCall, parts: ToolCallParts) {
    this.toolCallId = call.toolCallId ?? crypto.randomUUID();
    this.#state = announced(this.toolCallId, call);
    this.#parts = parts;
    if (call.status === undefined) this.#stopTimer = startTimer(0, () => void this.#startByItself());
  }

  get state(): AgentToolCallState {
    return this.#state;
  }

  announce(): void | Promise<void> {
    return this.#parts.send(this.#state);
  }

  start(): void | Promise<void> {
    if (this.#state.status === "pending") return this.update({});
  }

  update(change: AgentToolCallChange): void | Promise<void> {
    const { status } = this.#state;
    return this.change(status === "waiting" ? status : "in_progress", change);
  }

  complete(change: AgentToolCallChange = {}): void | Promise<void> {
    return this.change("completed", change);
  }

  fail(change: AgentToolCallChange = {}): void | Promise<void> {
    return this.change("failed", change);
  }

  reject(change: AgentToolCallChange = {}): void | Promise<void> {
    return this.change("rejected", change);
  }

  change(status: AgentToolCallStatus, change: AgentToolCallChange): void | Promise<void> {
    if (isEnd(this.#state.status)) return;
    this.#parts.check();
    return this.#set(status, change);
  }

  /** Ends it with its turn. */
  abandon(status: "failed" | "cancelled"): void | Promise<void> {
    if (!isEnd(this.#state.status)) return this.#set(status, {});
  }

  #set(status: AgentToolCallStatus, change: AgentToolCallChange): void | Promise<void> {
    this.#stopTimer();
    this.#state = changed(this.#state, status, change);
    if (isEnd(status)) this.#parts.onEnd();
    return this.#parts.send(this.#state);
  }

  async #startByItself(): Promise<void> {
    if (this.#state.status !== "pending") return;
    await this.#set("in_progress", {});
  }
}
