import { History, type HistoryLimits } from "@editwire/session";
import type { AgentEvent } from "../api/events.js";
import { isEnd } from "../api/tool-call-state.js";

type ToolCallEvent = Extract<AgentEvent, { type: "tool_call" }>;

/** Characters of text in pieces that become one event of the record. */
const joinedChars = 8_192;

/** The events that a record keeps: messages and tool calls, not the session's settings. */
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

/**
 * The events of a session, bounded. Pieces of text are joined, and a tool call is kept in its last state. It also
 * collects the events that its store does not have yet.
 */
export class SessionRecord {
  readonly #history: History<AgentEvent>;
  /** The last state of each tool call, as it is in the history. */
  readonly #calls = new Map<string, ToolCallEvent>();
  #plan: AgentEvent | undefined;
  #pieces: { readonly type: "text" | "thought"; text: string } | undefined;
  /** Events that were added or changed since `takeNew`. */
  #added: AgentEvent[] | undefined;

  /** With `isStored`, what is new is collected. */
  constructor(limits: HistoryLimits, { isStored }: { readonly isStored: boolean }) {
    this.#added = isStored ? [] : undefined;
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

  /** Keeps an event, if it is of a kind that a record keeps. */
  add(event: AgentEvent): void {
    if (event.type === "text" || event.type === "thought") return this.#addPiece(event);
    if (event.type === "stop") this.#plan = undefined;
    if (!kept.includes(event.type) || (event.type === "question" && event.answered !== true)) return;
    this.#join();
    if (event.type === "tool_call") return this.#addCall(event.toolCall.toolCallId, event);
    if (event.type === "plan") return this.#addPlan(event);
    this.#put(event, undefined);
  }

  /** Takes the events since the last call; a tool call and a plan in their last state. */
  takeNew(): readonly AgentEvent[] {
    this.#join();
    const taken = this.#added ?? [];
    if (taken.length > 0) this.#added = [];
    return taken;
  }

  /** Replaces the events. New ones that were not taken are still taken. */
  replace(events: readonly AgentEvent[]): void {
    this.#join();
    const notTaken = this.#added;
    this.#added = undefined;
    this.#plan = undefined;
    this.#calls.clear();
    this.#history.replace([]);
    for (const event of events) this.add(event);
    this.#join();
    this.#added = notTaken;
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
    this.#added?.push(joined);
    const { last } = this.#history;
    const goesOn = last?.type === joined.type && last.text.length + joined.text.length <= joinedChars;
    if (goesOn) this.#history.swap(last, { ...last, text: last.text + joined.text });
    else this.#history.add(joined);
  }

  /** Keeps an event, in the place of its last state if there is one. */
  #put(event: AgentEvent, before: AgentEvent | undefined): void {
    const place = before === undefined ? -1 : (this.#added?.lastIndexOf(before) ?? -1);
    if (place >= 0) this.#added?.splice(place, 1, event);
    else this.#added?.push(event);
    if (before === undefined) this.#history.add(event);
    else this.#history.swap(before, event);
  }

  #addCall(id: string, event: ToolCallEvent): void {
    const before = this.#calls.get(id);
    this.#calls.set(id, event);
    this.#put(event, before);
  }

  #addPlan(event: AgentEvent): void {
    const before = this.#plan;
    this.#plan = event;
    this.#put(event, before);
  }

  #forget(dropped: AgentEvent): void {
    if (dropped === this.#plan) this.#plan = undefined;
    if (dropped.type === "tool_call") this.#calls.delete(dropped.toolCall.toolCallId);
  }
}
