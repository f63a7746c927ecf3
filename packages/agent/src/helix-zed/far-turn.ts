import type { HelixZedEntry, HelixZedInteraction, HelixZedToolCallState, HelixZedTurnEvent } from "@editwire/helix-zed";
import type { AgentEvent, AgentStopReason } from "../api/events.js";
import { RemoteError } from "@editwire/core";
import { farLost } from "../far/far-connection.js";
import type { AgentToolCall } from "../api/tool-call.js";
import type { AgentToolCallStatus } from "../api/tool-call-state.js";
import type { AgentTurn } from "../api/session.js";

type Message = Extract<HelixZedTurnEvent, { type: "message" }>["message"];

/** Carries the answer of a Helix-Zed agent, whose messages grow, into a turn. */
export class FarHelixZedTurn {
  readonly #turn: AgentTurn;
  /** The text of each message so far. */
  readonly #said = new Map<string, string>();
  readonly #calls = new Map<string, AgentToolCall>();
  /** The last message. */
  #last: string | undefined;

  constructor(turn: AgentTurn) {
    this.#turn = turn;
  }

  /** Carries an event. Returns a promise when an editor is slow. */
  async update(event: Exclude<HelixZedTurnEvent, { type: "stop" }>): Promise<void> {
    if (event.type === "message") return this.#message(event.message);
    if (event.type === "tool_call") return this.#toolCall(event.toolCall);
    this.#said.clear();
    await this.#turn.notice("The agent was asked again, and begins its answer again", "warning");
  }

  /** The end of the turn. Throws the error of one that failed. */
  async end({ state, error, usage }: HelixZedInteraction): Promise<AgentStopReason> {
    if (state === "error") throw new RemoteError(farLost, error ?? "The turn failed");
    const { input_tokens, output_tokens } = usage ?? {};
    if (typeof (input_tokens ?? output_tokens) === "number")
      await this.#turn.usage({ inputTokens: input_tokens ?? undefined, outputTokens: output_tokens ?? undefined });
    return state === "interrupted" ? "cancelled" : "end_turn";
  }

  /** Sends the new part of a message; one that was rewritten is sent again. */
  async #message({ id, content }: Message): Promise<void> {
    const said = this.#said.get(id) ?? "";
    if (content === said) return;
    const isRewritten = !content.startsWith(said);
    const begins = isRewritten || said === "" || this.#last !== id;
    const gap = begins && this.#last !== undefined ? "\n\n" : "";
    this.#said.set(id, content);
    this.#last = id;
    await this.#turn.text(`${gap}${isRewritten ? content : content.slice(said.length)}`);
  }

  async #toolCall({ toolCallId, title, status, text }: HelixZedToolCallState): Promise<void> {
    this.#last = undefined;
    const contents = text === "" ? [] : [{ type: "text" as const, text }];
    const now = statusOf(status);
    const first = now === "in_progress" ? now : "pending";
    const known = this.#calls.get(toolCallId);
    const call = known ?? (await this.#turn.toolCall({ toolCallId, title, contents, status: first }));
    this.#calls.set(toolCallId, call);
    if (known !== undefined || now !== first) await call.change(now, { title, contents });
  }
}

/** A call that waits for the user of the far agent is pending here, where nobody is asked. */
function statusOf(status: HelixZedToolCallState["status"]): AgentToolCallStatus {
  return status === "waiting" ? "pending" : status;
}

/** The entries of a host's session, as events. */
export function eventsOf(entries: readonly HelixZedEntry[]): AgentEvent[] {
  return entries.map((entry): AgentEvent => {
    if (entry.type === "message" && entry.role === "user")
      return { type: "user", content: [{ type: "text", text: entry.text }] };
    if (entry.type === "message") return { type: "text", text: `${entry.text}\n\n` };
    const { toolCallId, title, text, status } = entry.toolCall;
    const contents = text === "" ? [] : [{ type: "text" as const, text }];
    return { type: "tool_call", toolCall: { toolCallId, title, status: statusOf(status), contents, locations: [] } };
  });
}
