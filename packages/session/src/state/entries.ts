import { charsOf } from "@editwire/peer";

/** Entries that the state of a session keeps, in every protocol. */
const maxEntries = 10_000;
/**
 * Characters of them. V8 lets its heap grow to a multiple of what lives, so each character counts. The last entry
 * stays, however long it is.
 */
export const maxStateChars = 2 * 1_048_576;
/** Characters that are left once the entries were counted: without room for more, each message would need a count. */
const roomyChars = maxStateChars - 131_072;
/** Characters of one text, after which it continues in another entry. */
export const maxTextChars = 1_048_576;
/**
 * Characters of a piece of text that is not worth waiting for others: a text and a long piece are joined without a copy
 * until somebody reads them, and pieces that waited are old garbage, which V8 frees late.
 */
const longPiece = 1_024;
/** Characters of an entry besides those of the message that it was read from: the names of its fields. */
const frameChars = 256;
/** The length of an entry that was not counted yet. */
const uncounted = -1;

/** The fields of a tool call that all protocols have. */
export interface ShownCall {
  readonly toolCallId: string;
  readonly status: string;
}

/** Says whether a tool call has not ended yet. */
export function isOpenCall({ status }: Pick<ShownCall, "status">): boolean {
  return status === "pending" || status === "waiting" || status === "in_progress";
}

/** The fields of every entry of a state. */
export interface EntryId {
  /**
   * Names the entry in its session, for keys of views: it stays the same while the entry changes, and no other entry
   * gets it.
   */
  readonly entryId: string;
}

/** An entry that may not have its id yet. */
export type NewEntry<Entry> = Entry extends unknown ? Omit<Entry, "entryId"> & Partial<EntryId> : never;

/** A tool call among the entries. */
interface ToolCallEntry<Call> {
  readonly type: "tool_call";
  readonly toolCall: Call;
}

interface TextEntry {
  readonly type: "message" | "thought";
  readonly role?: string | undefined;
  readonly text: string;
}

/**
 * The visible entries of a session, bounded by count and by size. It is changed in place, since most sessions are read
 * rarely; the entries themselves are immutable. An entry's place never changes. `chars` is the length of the message
 * that an entry was read from.
 * To count the characters of a tool call takes about as long as to parse its message. Until the sum of the messages
 * reaches the limit, nothing is counted.
 */
export class Entries<Call extends ShownCall, Entry extends EntryId & { readonly type: string }> {
  /** True when entries were dropped, because there were too many or too large ones. */
  trimmed = false;
  /** Those that were dropped are `undefined` until the arrays are copied. */
  #entries: (Entry | undefined)[] = [];
  /** The number that the next entry has as its id. */
  #nextId = 0;
  /** Text that the last entry does not have yet: most text comes in many pieces, which are joined once. */
  #unread: string[] = [];
  #unreadChars = 0;
  /** The characters of each entry, or `uncounted`. */
  #chars: number[] = [];
  /** Index of the oldest kept entry in both arrays. */
  #first = 0;
  /** Entries that both arrays no longer have. An entry's place is its index plus this. */
  #removed = 0;
  /** The characters of the counted entries. */
  #counted = 0;
  /** At least the characters of the other entries. */
  #estimated = 0;
  /** The places of the entries that were not counted. */
  readonly #open = new Set<number>();
  /** The place of each tool call; of the last one if an id was used twice. */
  readonly #toolCalls = new Map<string, number>();

  /** The entries, oldest first; a new array. */
  get all(): readonly Entry[] {
    this.#joinUnread();
    return this.#entries.slice(this.#first) as Entry[];
  }

  /** The newest entry. Its text may lack what was added last; that of `at` does not. */
  get last(): Entry | undefined {
    return this.#entries.at(-1);
  }

  /** The place of the newest entry. */
  get lastPlace(): number {
    return this.#removed + this.#entries.length - 1;
  }

  /** The entry at a place; `undefined` when it was dropped. */
  at(place: number): Entry | undefined {
    if (place === this.lastPlace) this.#joinUnread();
    return this.#entries[place - this.#removed];
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
    this.trimmed = false;
  }

  /** Adds an entry, which gets an id unless it has one. Returns its place. */
  add(given: NewEntry<Entry>, chars?: number): number {
    this.#joinUnread();
    const { entryId = String(this.#nextId) } = given;
    const entry = { entryId, ...given } as unknown as Entry;
    this.#nextId = Math.max(this.#nextId, Number(entryId)) + 1;
    this.#entries.push(entry);
    this.#chars.push(uncounted);
    const place = this.lastPlace;
    if (isCall<Call>(entry)) this.#toolCalls.set(entry.toolCall.toolCallId, place);
    this.#measure(place, entry, chars);
    return place;
  }

  /** Puts another entry at a place. It has the id of the one before it. */
  replace(place: number, given: NewEntry<Entry>, chars?: number): void {
    const index = place - this.#removed;
    if (place === this.lastPlace) this.#joinUnread();
    const before = this.#chars[index] as number;
    const entry = { ...given, entryId: this.#entries[index]?.entryId } as unknown as Entry;
    this.#entries[index] = entry;
    if (before !== uncounted) {
      this.#counted -= before;
      if (!isText(entry)) this.#estimated += before; // the entry keeps what the message leaves out
      this.#chars[index] = uncounted;
    }
    this.#measure(place, entry, chars);
  }

  /** Adds text: to the last text of the same kind and role, or as a new entry. */
  addText(type: "message" | "thought", role: string | undefined, text: string): void {
    const last = this.#entries.at(-1) as TextEntry | undefined;
    if (last?.type === type && last.role === role && this.extend(text)) return;
    this.add((role === undefined ? { type, text } : { type, role, text }) as unknown as NewEntry<Entry>);
  }

  /** Adds text to the last entry, which is a text. Returns false when that one is too long for more. */
  extend(text: string): boolean {
    const last = this.#entries.at(-1) as unknown as TextEntry;
    if (last.text.length + this.#unreadChars >= maxTextChars) return false;
    this.#unread.push(text);
    this.#unreadChars += text.length;
    this.#counted += text.length;
    if (text.length >= longPiece) this.#joinUnread();
    this.#trim();
    return true;
  }

  /** The tool call of this id. */
  toolCall(id: string): Call | undefined {
    const place = this.#toolCalls.get(id);
    const entry = place === undefined ? undefined : this.#entries[place - this.#removed];
    return entry && isCall<Call>(entry) ? entry.toolCall : undefined;
  }

  /** Adds a tool call, or puts it in the place of its state before. */
  setToolCall(toolCall: Call, chars?: number): void {
    const entry = callEntry<Entry>(toolCall);
    const place = this.#toolCalls.get(toolCall.toolCallId);
    if (place === undefined) this.add(entry, chars);
    else this.replace(place, entry, chars);
  }

  /** Gives `cancelled` to the tool calls that have not ended. */
  cancelToolCalls(): void {
    for (const [id, place] of this.#toolCalls) {
      const toolCall = this.toolCall(id);
      if (toolCall === undefined || !isOpenCall(toolCall)) continue;
      this.replace(place, callEntry<Entry>({ ...toolCall, status: "cancelled" }), 0);
    }
  }

  /** Lets the ids of tool calls name others from now on. */
  forgetToolCalls(): void {
    this.#toolCalls.clear();
  }

  #joinUnread(): void {
    if (this.#unreadChars === 0) return;
    const index = this.#entries.length - 1;
    const last = this.#entries[index] as unknown as TextEntry;
    const [first = ""] = this.#unread;
    const text = last.text + (this.#unread.length === 1 ? first : this.#unread.join(""));
    this.#entries[index] = { ...last, text } as unknown as Entry;
    this.#chars[index] = text.length;
    this.#unread = [];
    this.#unreadChars = 0;
  }

  /** Counts a text at once, and anything else when there is little room. */
  #measure(place: number, entry: Entry, chars: number | undefined): void {
    if (isText(entry)) {
      this.#chars[place - this.#removed] = entry.text.length;
      this.#counted += entry.text.length;
      this.#open.delete(place);
    } else {
      this.#open.add(place);
      this.#estimated += (chars ?? charsOf(entry)) + frameChars;
    }
    this.#trim();
  }

  /** Drops the oldest entries while there is too much. */
  #trim(): void {
    let max: number = maxStateChars;
    if (this.#counted + this.#estimated > maxStateChars) {
      this.#countAll();
      max = roomyChars;
    }
    while (this.#first < this.#entries.length - 1 && (this.#size > maxEntries || this.#counted > max))
      this.#dropFirst();
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
    this.trimmed = true;
    const index = this.#first++;
    const place = index + this.#removed;
    const entry = this.#entries[index] as Entry;
    const chars = this.#chars[index] as number;
    if (chars === uncounted) this.#open.delete(place);
    else this.#counted -= chars;
    if (isCall<Call>(entry) && this.#toolCalls.get(entry.toolCall.toolCallId) === place)
      this.#toolCalls.delete(entry.toolCall.toolCallId);
    this.#entries[index] = undefined;
  }
}

function callEntry<Entry>(toolCall: ShownCall): NewEntry<Entry> {
  return { type: "tool_call", toolCall } as unknown as NewEntry<Entry>;
}

function isText(entry: { readonly type: string }): entry is TextEntry {
  return "text" in entry;
}

function isCall<Call>(entry: { readonly type: string }): entry is ToolCallEntry<Call> & EntryId {
  return entry.type === "tool_call";
}
