import type { ToolCallUpdate } from "@editwire/acp-schema";
import { mergeToolCall, type ToolCallState } from "./client-events.js";

/** Tool calls whose state a session keeps; the one that was updated the longest ago is forgotten first. */
const maxToolCalls = 1_000;

/** The tool calls of a session, across its turns: a tool may end in a later turn than it began. */
export class ClientToolCalls {
  readonly #calls = new Map<string, ToolCallState>();

  /** The state after an update. */
  merge(update: ToolCallUpdate): ToolCallState {
    return this.set(mergeToolCall(this.#calls.get(update.toolCallId), update));
  }

  get(toolCallId: string): ToolCallState | undefined {
    return this.#calls.get(toolCallId);
  }

  set(call: ToolCallState): ToolCallState {
    this.#calls.delete(call.toolCallId);
    this.#calls.set(call.toolCallId, call);
    if (this.#calls.size > maxToolCalls) for (const id of this.#calls.keys()) return this.#forget(id, call);
    return call;
  }

  #forget(id: string, kept: ToolCallState): ToolCallState {
    this.#calls.delete(id);
    return kept;
  }
}
