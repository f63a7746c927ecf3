import type { ContentBlock, PlanEntry } from "@editwire/acp-schema";
import { charsOf } from "@editwire/peer";
import { maxTextChars, stateLimits } from "@editwire/session";
import { isText, type ToolCallState } from "./client-events.js";

/** One thing that a session shows, in the order in which it began. */
export type AcpEntry =
  /**
   * Text of one speaker, joined verbatim. Other entries end it: text that follows them begins a new one. So does text
   * that follows more than 1,048,576 characters.
   */
  | { readonly type: "message"; readonly role: "user" | "assistant"; readonly text: string }
  | { readonly type: "thought"; readonly text: string }
  | { readonly type: "tool_call"; readonly toolCall: ToolCallState }
  /** The latest plan, at the place of the first one of its turn. */
  | { readonly type: "plan"; readonly entries: readonly PlanEntry[] }
  /** Anything said or thought that is not text. */
  | { readonly type: "content"; readonly role: "user" | "assistant"; readonly content: ContentBlock };

const { maxItems, maxChars } = stateLimits;
/** Characters that are left once the entries were counted: without room for more, each message would need a count. */
const roomyChars = maxChars - 131_072;
/**
 * Characters of a piece of text that is not worth waiting for others: a text and a long piece are joined without a copy
 * until somebody reads them, and pieces that waited are old garbage, which V8 frees late.
 */
const longPiece = 1_024;
/** Characters of an entry besides those of the message that it was read from: the names of its fields. */
const frameChars = 256;
/** The length of an entry that was not counted yet. */
const uncounted = -1;

/**
 * What a session shows, bounded by count and by size. It is changed in place, since most sessions are read rarely; the
 * entries themselves are immutable. `chars` is the length of the message that an entry was read from.
 *
 * To count the characters of a tool call takes about as long as to parse its message. Until the sum of the messages
 * reaches the limit, nothing is counted.
 */
export class ClientEntries {
  #entries: AcpEntry[] = [];
  /** Text that the last entry does not have yet: most text comes in many pieces, which are joined once. */
  #unread: string[] = [];
  #unreadChars = 0;
  /** The characters of each entry, or `uncounted`. */
  #chars: number[] = [];
  /** Index of the oldest kept entry in both arrays. */
  #first = 0;
  /** Entries that both arrays no longer have. An entry's place is its index plus this, and never changes. */
  #removed = 0;
  /** The characters of the counted entries. */
  #counted = 0;
  /** At least the characters of the other entries. */
  #estimated = 0;
  /** The places of the entries that were not counted. */
  #open = new Set<number>();
  /** The place of each tool call. */
  readonly #toolCalls = new Map<string, number>();
  /** The place of the plan that belongs to the running turn. */
  #plan: number | undefined;

  /** The entries, oldest first; a new array. */
  get all(): readonly AcpEntry[] {
    this.#joinUnread();
    return this.#entries.slice(this.#first);
  }

  /** Drops all entries. */
  clear(): void {
    this.#removed += this.#entries.length;
    this.#entries = [];
    this.#unread = [];
    this.#unreadChars = 0;
    this.#chars = [];
    this.#first = this.#counted = this.#estimated = 0;
    this.#open.clear();
    this.#toolCalls.clear();
    this.#plan = undefined;
  }

  /** Adds what somebody said: text to the last text of the same speaker, anything else by itself. */
  addBlock(role: "user" | "assistant", content: ContentBlock, chars?: number): void {
    if (isText(content)) this.addText("message", role, content.text);
    else this.#append({ type: "content", role, content }, chars ?? charsOf(content));
  }

  /** Adds text. */
  addText(type: "message" | "thought", role: "user" | "assistant", text: string): void {
    const last = this.#entries.at(-1);
    if (last?.type === type && (last.type === "thought" || last.role === role)) {
      if (last.text.length + this.#unreadChars < maxTextChars) return this.#extend(text);
    }
    if (role === "user") this.#plan = undefined; // a message of the user begins a turn
    this.#append(type === "thought" ? { type, text } : { type, role, text }, text.length);
  }

  /** Adds a tool call, or puts it in the place of its state before. */
  setToolCall(toolCall: ToolCallState, chars = charsOf(toolCall)): void {
    const entry: AcpEntry = { type: "tool_call", toolCall };
    const place = this.#toolCalls.get(toolCall.toolCallId);
    if (place !== undefined) return this.#replace(place, entry, chars);
    this.#toolCalls.set(toolCall.toolCallId, this.#append(entry, chars));
  }

  /** Adds a plan, or puts it in the place of the one before it in the same turn. */
  setPlan(entries: readonly PlanEntry[], chars: number): void {
    const entry: AcpEntry = { type: "plan", entries };
    if (this.#plan === undefined) this.#plan = this.#append(entry, chars);
    else this.#replace(this.#plan, entry, chars);
  }

  /** Gives `cancelled` to the tool calls that have not ended. */
  cancelToolCalls(): void {
    for (const place of this.#toolCalls.values()) {
      const entry = this.#entries[place - this.#removed];
      if (entry?.type === "tool_call" && isOpen(entry.toolCall))
        this.#replace(place, { type: "tool_call", toolCall: { ...entry.toolCall, status: "cancelled" } }, 0);
    }
  }

  #extend(text: string): void {
    this.#unread.push(text);
    this.#unreadChars += text.length;
    this.#counted += text.length;
    if (text.length >= longPiece) this.#joinUnread();
    this.#trim();
  }

  #joinUnread(): void {
    const index = this.#entries.length - 1;
    const last = this.#entries[index];
    if (this.#unreadChars === 0 || last === undefined || !("text" in last)) return;
    const [first = ""] = this.#unread;
    const text = last.text + (this.#unread.length === 1 ? first : this.#unread.join(""));
    this.#entries[index] = { ...last, text };
    this.#chars[index] = text.length;
    this.#unread = [];
    this.#unreadChars = 0;
  }

  /** Adds an entry. Returns its place. */
  #append(entry: AcpEntry, chars: number): number {
    this.#joinUnread();
    const place = this.#removed + this.#entries.length;
    const isCounted = "text" in entry;
    this.#entries.push(entry);
    this.#chars.push(isCounted ? chars : uncounted);
    if (isCounted) this.#counted += chars;
    else this.#defer(place, chars);
    this.#trim();
    return place;
  }

  #replace(place: number, entry: AcpEntry, chars: number): void {
    const index = place - this.#removed;
    this.#entries[index] = entry;
    const before = this.#chars[index] as number;
    if (before !== uncounted) {
      this.#counted -= before;
      this.#estimated += before; // the entry keeps what the message leaves out
      this.#chars[index] = uncounted;
    }
    this.#defer(place, chars);
    this.#trim();
  }

  #defer(place: number, chars: number): void {
    this.#open.add(place);
    this.#estimated += chars + frameChars;
  }

  /** Drops the oldest entries while there is too much. The last one stays, however long it is. */
  #trim(): void {
    let max = maxChars;
    if (this.#counted + this.#estimated > maxChars) {
      this.#countAll();
      max = roomyChars;
    }
    while (this.#first < this.#entries.length - 1 && (this.#size > maxItems || this.#counted > max)) this.#dropFirst();
    // One copy for many drops: a copy for each would take time in proportion to all entries.
    if (this.#first === 0 || this.#first < this.#entries.length / 2) return;
    this.#removed += this.#first;
    this.#entries = this.#entries.slice(this.#first);
    this.#chars = this.#chars.slice(this.#first);
    this.#first = 0;
  }

  get #size(): number {
    return this.#entries.length - this.#first;
  }

  #countAll(): void {
    for (const place of this.#open) {
      const index = place - this.#removed;
      const chars = charsOf(this.#entries[index]);
      this.#chars[index] = chars;
      this.#counted += chars;
    }
    this.#open.clear();
    this.#estimated = 0;
  }

  #dropFirst(): void {
    const index = this.#first++;
    const place = index + this.#removed;
    const entry = this.#entries[index] as AcpEntry;
    const chars = this.#chars[index] as number;
    if (chars === uncounted) this.#open.delete(place);
    else this.#counted -= chars;
    if (entry.type === "tool_call") this.#toolCalls.delete(entry.toolCall.toolCallId);
    if (this.#plan === place) this.#plan = undefined;
    this.#entries[index] = dropped;
  }
}

/** Stands for a dropped entry until the arrays are copied, so that the entry itself can be collected. */
const dropped: AcpEntry = { type: "thought", text: "" };

function isOpen({ status }: ToolCallState): boolean {
  return status === "pending" || status === "in_progress" || status === "waiting";
}
