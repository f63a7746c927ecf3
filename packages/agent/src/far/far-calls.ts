import type { AgentToolCall } from "../api/tool-call.js";
import type {
  AgentNewToolCall,
  AgentToolCallChange,
  AgentToolCallState,
  AgentToolCallStatus,
} from "../api/tool-call-state.js";
import type { AgentTurn } from "../api/session.js";

/** A tool call as a far agent has it now. */
export type FarCall = Omit<AgentNewToolCall, "status" | "diff"> & { readonly toolCallId: string };

/** Carries the tool calls of a far agent into a turn. */
export class FarCalls {
  readonly #turn: AgentTurn;
  readonly #calls = new Map<string, Promise<AgentToolCall>>();

  constructor(turn: AgentTurn) {
    this.#turn = turn;
  }

  /** Shows a call as it is now. */
  async update(far: FarCall, status: AgentToolCallStatus): Promise<void> {
    const isNew = !this.#calls.has(far.toolCallId);
    const call = await this.call(far, status === "in_progress" ? status : "pending");
    if (isNew && call.state.status === status) return;
    const { toolCallId: _, ...change } = far;
    await call.change(status === "pending" ? call.state.status : status, change); // the question may have begun it
  }

  /** The call here that the far agent asks about. The facts in its question are shown before it. */
  async asked(far: FarCall): Promise<AgentToolCall> {
    const isNew = !this.#calls.has(far.toolCallId);
    const call = await this.call(far);
    const { toolCallId: _, ...change } = far;
    if (!isNew && changes(call.state, change)) await call.change(call.state.status, change);
    return call;
  }

  /** The id here of a far call that was announced. */
  async idOf(farId: string | undefined): Promise<string | undefined> {
    const call = farId === undefined ? undefined : await this.#calls.get(farId);
    return call?.state.toolCallId;
  }

  /** The call here. One that is not known yet is announced. */
  call(far: FarCall, status: "pending" | "in_progress" = "pending"): Promise<AgentToolCall> {
    const known = this.#calls.get(far.toolCallId) ?? this.#turn.toolCall({ ...far, status });
    this.#calls.set(far.toolCallId, known);
    return known;
  }
}

/** Whether a change says anything that the call does not have. */
function changes(state: AgentToolCallState, change: AgentToolCallChange): boolean {
  const before = state as unknown as Readonly<Record<string, unknown>>;
  return Object.entries(change).some(
    ([field, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(before[field]),
  );
}
