import type { ToolCallUpdate } from "@editwire/acp-schema";
import { charsOf } from "@editwire/peer";
import { isOpenCall, RecentCalls } from "@editwire/session";
import { mergeToolCall, type AcpToolCallState } from "./events.js";

/** The tool calls of a session, across its turns: a tool may end in a later turn than it began. */
export class ClientToolCalls {
  readonly #calls = new RecentCalls<AcpToolCallState>((call) => !isOpenCall(call));

  /** The state after an update whose message has `chars` characters. */
  merge(update: ToolCallUpdate, chars = charsOf(update)): AcpToolCallState {
    return this.#set(mergeToolCall(this.get(update.toolCallId), update), chars);
  }

  get(toolCallId: string): AcpToolCallState | undefined {
    return this.#calls.get(toolCallId);
  }

  /** Takes another status of a call. */
  set(call: AcpToolCallState): AcpToolCallState {
    return this.#set(call, 0);
  }

  #set(call: AcpToolCallState, chars: number): AcpToolCallState {
    this.#calls.set(call.toolCallId, call, chars);
    return call;
  }
}
