import { startTimer } from "@editwire/core/timers";
import {
  announced,
  changed,
  isEnd,
  type NewToolCall,
  type ToolCallChange,
  type ToolCallState,
  type ToolCallStatus,
} from "./tool-call-state.js";

/** An announced tool call. It ends once, by `complete`, `fail` or `reject`; later changes are ignored. */
export interface AgentToolCall {
  readonly toolCallId: string;
  /** All that is known of the call now. */
  readonly state: ToolCallState;
  /** Says that the call runs; `update` says it, too. */
  start(): void | Promise<void>;
  /** Sends what changed while the call runs. */
  update(change: ToolCallChange): void | Promise<void>;
  /** Ends it as `completed`. */
  complete(change?: ToolCallChange): void | Promise<void>;
  /** Ends it as `failed`. */
  fail(change?: ToolCallChange): void | Promise<void>;
  /** Ends it as `rejected`. A call that the user rejected has ended already. */
  reject(change?: ToolCallChange): void | Promise<void>;
  /** Gives the call another status, for agents whose calls are run elsewhere. */
  change(status: ToolCallStatus, change: ToolCallChange): void | Promise<void>;
}

export interface ToolCallParts {
  readonly send: (toolCall: ToolCallState) => void | Promise<void>;
  readonly onEnd: () => void;
  /** Throws when the turn is over. */
  readonly check: () => void;
}

/** An `AgentToolCall` with the part that its turn uses. */
export class RunningToolCall implements AgentToolCall {
  readonly toolCallId: string;
  readonly #parts: ToolCallParts;
  #state: ToolCallState;
  #stopTimer = (): void => {};

  constructor(call: NewToolCall, parts: ToolCallParts) {
    this.toolCallId = call.toolCallId ?? crypto.randomUUID();
    this.#state = announced(this.toolCallId, call);
    this.#parts = parts;
    if (call.status === undefined) this.#stopTimer = startTimer(0, () => void this.#startByItself());
  }

  get state(): ToolCallState {
    return this.#state;
  }

  announce(): void | Promise<void> {
    return this.#parts.send(this.#state);
  }

  start(): void | Promise<void> {
    if (this.#state.status === "pending") return this.update({});
  }

  update(change: ToolCallChange): void | Promise<void> {
    const { status } = this.#state;
    return this.change(status === "waiting" ? status : "in_progress", change);
  }

  complete(change: ToolCallChange = {}): void | Promise<void> {
    return this.change("completed", change);
  }

  fail(change: ToolCallChange = {}): void | Promise<void> {
    return this.change("failed", change);
  }

  reject(change: ToolCallChange = {}): void | Promise<void> {
    return this.change("rejected", change);
  }

  change(status: ToolCallStatus, change: ToolCallChange): void | Promise<void> {
    if (isEnd(this.#state.status)) return;
    this.#parts.check();
    return this.#set(status, change);
  }

  /** Ends it with its turn. */
  abandon(status: "failed" | "cancelled"): void | Promise<void> {
    if (!isEnd(this.#state.status)) return this.#set(status, {});
  }

  #set(status: ToolCallStatus, change: ToolCallChange): void | Promise<void> {
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
