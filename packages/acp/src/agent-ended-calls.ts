import type { SessionUpdate } from "@editwire/acp-schema";
import { WireError } from "@editwire/core";

/** Ended tool calls that a session remembers; the oldest are forgotten first. */
const maxEnded = 1_000;

/** The tool calls of a session that have ended. In strict mode none of them may go on. */
export class EndedCalls {
  readonly #statuses = new Map<string, "completed" | "failed">();

  /** Notes an update. Throws `WireError("invalid_params")` for one that takes a call back from its end. */
  note(update: SessionUpdate): void {
    if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update") return;
    const { toolCallId, status } = update;
    const ended = this.#statuses.get(toolCallId);
    if (status === "completed" || status === "failed") return this.#add(toolCallId, status);
    if (ended === undefined || status === undefined) return;
    const why = `the tool call "${toolCallId}" ended as ${ended}, and cannot be ${status} again`;
    throw new WireError("invalid_params", `session/update: params.update.status: ${why}; use a new toolCallId`);
  }

  #add(toolCallId: string, status: "completed" | "failed"): void {
    this.#statuses.set(toolCallId, status);
    if (this.#statuses.size <= maxEnded) return;
    for (const oldest of this.#statuses.keys()) return void this.#statuses.delete(oldest);
  }
}
