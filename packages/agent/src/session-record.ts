import { History, type HistoryLimits } from "@editwire/session";
import type { AgentEvent } from "./events.js";
import { isEnd } from "./tool-call-state.js";

type ToolCallEvent = Extract<AgentEvent, { type: "tool_call" }>;

/** Characters of text in pieces that become one event of the record. */
const joinedChars = 8_192;

/** The events that a record keeps: what was said and done, not how the session is set. */
const kept: readonly AgentEvent["type"][] = [
  "user",
  "text",
  "content",
  "thought",
  "plan",
  "tool_call",
  "question",
  "notice",
];

/** What was said in a session, bounded. Pieces of text are joined, and a tool call is kept in its last state. */
export class SessionRecord {
  readonly #history: History<AgentEvent>;
  /** The last state of each tool call, as it is in the history. */
  readonly #calls = new Map<string, ToolCallEvent>();
  #plan: AgentEvent | undefined;
  #pieces: { readonly type: "text" | "thought"; text: string } | undefined;

  constructor(limits: HistoryLimits) {
    this.#history = new History(limits, (dropped) => this.#forget(dropped));
  }

  get events(): readonly AgentEvent[] {
    this.#join();
    return this.#history.items;
  }

  /** The characters of what is kept, approximately. */
  get chars(): number {
    return this.#history.chars + (this.#pieces?.text.length ?? 0);
  }

  /** Whether a tool call with this id has ended. */
  hasEnded(toolCallId: string): boolean {
    const call = this.#calls.get(toolCallId);
    return call !== undefined && isEnd(call.toolCall.status);
  }

  /** Keeps an event, if it is one of what was said and done. */
  add(event: AgentEvent): void {
    if (event.type === "text" || event.type === "thought") return this.#addPiece(event);
    if (event.type === "stop") this.#plan = undefined;
    if (!kept.includes(event.type) || (event.type === "question" && event.answered !== true)) return;
    this.#join();
    if (event.type === "tool_call") return this.#addCall(event.toolCall.toolCallId, event);
    if (event.type === "plan") return this.#addPlan(event);
    this.#history.add(event);
  }

  replace(events: readonly AgentEvent[]): void {
    this.#pieces = undefined;
    this.#plan = undefined;
    this.#calls.clear();
    this.#history.replace([]);
    for (const event of events) this.add(event);
  }

  #addPiece({ type, text }: { type: "text" | "thought"; text: string }): void {
    if (this.#pieces?.type !== type) this.#join();
    this.#pieces ??= { type, text: "" };
    this.#pieces.text += text;
    if (this.#pieces.text.length >= joinedChars) this.#join();
  }

  #join(): void {
    if (this.#pieces === undefined) return;
    const joined = this.#pieces;
    this.#pieces = undefined;
    this.#history.add(joined);
  }

  #addCall(id: string, event: ToolCallEvent): void {
    const before = this.#calls.get(id);
    this.#calls.set(id, event);
    if (before === undefined) this.#history.add(event);
    else this.#history.swap(before, event);
  }

  #addPlan(event: AgentEvent): void {
    const before = this.#plan;
    this.#plan = event;
    if (before === undefined) this.#history.add(event);
    else this.#history.swap(before, event);
  }

  #forget(dropped: AgentEvent): void {
    if (dropped === this.#plan) this.#plan = undefined;
    if (dropped.type === "tool_call") this.#calls.delete(dropped.toolCall.toolCallId);
  }
}
