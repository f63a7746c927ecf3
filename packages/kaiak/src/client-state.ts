import type { ErrorContent, FileModificationContent, Incident, ProgressContent } from "@editwire/kaiak-schema";
import { History, maxTextChars, stateLimits, Store } from "@editwire/session";
import type { ToolCallState, UpdateEvent } from "./client-events.js";

/** One thing that a view shows. */
export type KaiakEntry =
  | { readonly type: "request"; readonly incidents: readonly Incident[] }
  | { readonly type: "message" | "thought"; readonly text: string }
  | { readonly type: "tool_call"; readonly toolCall: ToolCallState }
  | { readonly type: "file_modification"; readonly modification: FileModificationContent }
  | { readonly type: "error"; readonly error: ErrorContent };

/** All that a view of a session renders. */
export interface KaiakSessionState {
  /**
   * At most 10,000 entries with 2 Mi characters together; the oldest ones are dropped first. A text of more than 1 Mi
   * characters continues in another entry.
   */
  readonly entries: readonly KaiakEntry[];
  /** True while a turn runs. */
  readonly running: boolean;
  /** The last progress of the running turn, or of the last one. */
  readonly progress: ProgressContent | undefined;
}

/** The state of a session. The immutable value is made when somebody reads it or is subscribed. */
export class ClientState {
  readonly #store: Store<KaiakSessionState>;
  readonly #entries = new History<KaiakEntry>(stateLimits, (entry) => this.#dropped(entry));
  /** The entries of tool calls that have not ended and were not dropped. */
  readonly #toolCalls = new Map<string, KaiakEntry>();
  /** Text that is not an entry yet: chunks are added to it. */
  #text: { readonly type: "message" | "thought"; readonly parts: string[]; chars: number } | undefined;
  #progress: ProgressContent | undefined;
  #running = false;
  #isStale = false;

  /** `onError` gets what a listener throws. */
  constructor(onError: (error: unknown) => void) {
    this.#store = new Store<KaiakSessionState>({ entries: [], running: false, progress: undefined }, onError);
  }

  get value(): KaiakSessionState {
    if (this.#isStale) this.#publish();
    return this.#store.state;
  }

  subscribe(listener: (state: KaiakSessionState) => void): () => void {
    if (this.#isStale) this.#publish();
    return this.#store.subscribe(listener);
  }

  start(incidents: readonly Incident[]): void {
    this.#running = true;
    this.#progress = undefined;
    this.#toolCalls.clear();
    this.#add({ type: "request", incidents });
  }

  end(): void {
    this.#running = false;
    this.#flushText();
    this.#changed();
  }

  receive(event: UpdateEvent): void {
    switch (event.type) {
      case "text":
        this.#addText("message", event.text);
        if (!event.partial) this.#flushText();
        return;
      case "thought":
        return this.#addText("thought", event.text);
      case "progress":
        this.#progress = event.progress;
        return this.#changed();
      case "tool_call":
        return this.#setToolCall(event.toolCall);
      case "file_modification":
        return this.#add({ type: "file_modification", modification: event.modification });
      case "error":
        return this.#add({ type: "error", error: event.error });
      case "question":
      case "system":
        return;
    }
  }

  #setToolCall(toolCall: ToolCallState): void {
    const entry: KaiakEntry = { type: "tool_call", toolCall };
    const before = this.#toolCalls.get(toolCall.toolCallId);
    const isOpen = toolCall.status === "pending" || toolCall.status === "in_progress";
    if (isOpen) this.#toolCalls.set(toolCall.toolCallId, entry);
    else this.#toolCalls.delete(toolCall.toolCallId);
    if (before === undefined) return this.#add(entry);
    this.#entries.swap(before, entry);
    this.#changed();
  }

  #dropped(entry: KaiakEntry): void {
    if (entry.type !== "tool_call") return;
    const { toolCallId } = entry.toolCall;
    if (this.#toolCalls.get(toolCallId) === entry) this.#toolCalls.delete(toolCallId);
  }

  #addText(type: "message" | "thought", text: string): void {
    if (this.#text?.type !== type) {
      this.#flushText();
      this.#text = { type, parts: [], chars: 0 };
    }
    this.#text.parts.push(text);
    this.#text.chars += text.length;
    if (this.#text.chars >= maxTextChars) this.#flushText();
    this.#changed();
  }

  #flushText(): void {
    if (this.#text === undefined) return;
    const { type, parts } = this.#text;
    this.#text = undefined;
    this.#entries.add({ type, text: parts.join("") });
  }

  #add(entry: KaiakEntry): void {
    this.#flushText();
    this.#entries.add(entry);
    this.#changed();
  }

  #changed(): void {
    this.#isStale = true;
    if (this.#store.watched) this.#publish();
  }

  #publish(): void {
    this.#isStale = false;
    const entries = [...this.#entries.items];
    if (this.#text !== undefined) entries.push({ type: this.#text.type, text: this.#text.parts.join("") });
    this.#store.set({ entries, running: this.#running, progress: this.#progress });
  }
}
