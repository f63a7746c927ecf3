import type {
  ChatContent,
  ChatRole,
  FlagContent,
  HookActionFinishedContent,
  HookActionStartedContent,
  ImageContent,
  ReasonFinishedContent,
  ReasonStartedContent,
  ReasonTextContent,
  URLContent,
} from "@editwire/eca-schema";
import { History, maxTextChars, stateLimits } from "@editwire/session";
import { isOpen, readToolCall, type ToolCallContent, type ToolCallState } from "./client-tool-call.js";

/** Content that is shown unchanged. */
type ShownContent = URLContent | ImageContent | FlagContent | HookActionStartedContent | HookActionFinishedContent;

/** One thing that a session shows, in the order in which it began. */
export type SessionEntry =
  /** Text of one role, joined verbatim; `complete` when something else follows. */
  | {
      readonly type: "message";
      readonly role: ChatRole;
      readonly text: string;
      readonly contentId: string | undefined;
      readonly complete: boolean;
    }
  /** A thought of the model. */
  | {
      readonly type: "thought";
      readonly id: string;
      readonly text: string;
      readonly complete: boolean;
      readonly totalTimeMs: number | undefined;
    }
  | { readonly type: "tool_call"; readonly toolCall: ToolCallState }
  /** Any other content that is shown unchanged. */
  | { readonly type: "content"; readonly role: ChatRole; readonly content: ShownContent };

type Entries = readonly SessionEntry[];
type ToolCallEntry = Extract<SessionEntry, { type: "tool_call" }>;
type ThoughtEntry = Extract<SessionEntry, { type: "thought" }>;

const shown: ReadonlySet<string> = new Set([
  ...["text", "reasonStarted", "reasonText", "reasonFinished", "url", "image", "flag"],
  ...["toolCallPrepare", "toolCallRun", "toolCallRunning", "toolCalled", "toolCallRejected"],
  ...["hookActionStarted", "hookActionFinished"],
]);

/** True for content that becomes an entry or a part of one. */
export function isShown({ type }: ChatContent): boolean {
  return shown.has(type);
}

/** The tool call with this id; the last one if a server used the id twice. */
export function toolCallIn(entries: Entries, id: string): ToolCallState | undefined {
  const entry = entries.findLast((candidate) => candidate.type === "tool_call" && candidate.toolCall.toolCallId === id);
  return entry?.type === "tool_call" ? entry.toolCall : undefined;
}

/** Entries that change in place. The single entries never do: another one takes the place of each that changes. */
export class ClientEntries {
  readonly #history = new History<SessionEntry>(stateLimits, (entry) => this.#dropped(entry));
  /** The entry of each tool call; the last one of its id. */
  readonly #calls = new Map<string, ToolCallEntry>();
  /** The entry of each thought that is not complete. */
  readonly #thoughts = new Map<string, ThoughtEntry>();
  /** True when entries were dropped, because there were too many or too large ones. */
  trimmed = false;

  constructor(entries: Entries = []) {
    for (const entry of entries) this.#push(entry);
  }

  /** A copy. */
  get list(): Entries {
    return this.#history.items;
  }

  /** The tool call with this id; the last one if a server used the id twice. */
  toolCall(id: string): ToolCallState | undefined {
    return this.#calls.get(id)?.toolCall;
  }

  /** Adds content. Content that is not shown leaves the entries unchanged. */
  add(role: ChatRole, content: ChatContent): void {
    switch (content.type) {
      case "text":
        return this.#addText(role, content.text, content.contentId);
      case "reasonStarted":
      case "reasonText":
      case "reasonFinished":
        return this.#addThought(content);
      case "toolCallPrepare":
      case "toolCallRun":
      case "toolCallRunning":
      case "toolCalled":
      case "toolCallRejected":
        return this.#addToolCall(content);
      case "url":
      case "image":
      case "flag":
      case "hookActionStarted":
      case "hookActionFinished":
        return this.#append({ type: "content", role, content });
      default:
    }
  }

  /** Replaces a tool call, or adds it. */
  setToolCall(toolCall: ToolCallState): void {
    const before = this.#calls.get(toolCall.toolCallId);
    const entry: ToolCallEntry = { type: "tool_call", toolCall };
    if (before === undefined) return this.#append(entry);
    this.#calls.set(toolCall.toolCallId, entry);
    this.#history.swap(before, entry);
  }

  /** Completes the entries that are open when a turn ends. */
  endTurn(): void {
    this.#complete();
    for (const thought of this.#thoughts.values()) this.#history.swap(thought, { ...thought, complete: true });
    this.#thoughts.clear();
    for (const { toolCall } of this.#calls.values())
      if (isOpen(toolCall)) this.setToolCall({ ...toolCall, status: "cancelled" });
  }

  /** A message of the user comes in one piece; other messages come in many. */
  #addText(role: ChatRole, text: string, contentId: string | undefined): void {
    const { last } = this.#history;
    const goesOn = last?.type === "message" && last.role === role && !last.complete && role !== "user";
    if (goesOn && last.text.length < maxTextChars) this.#history.swap(last, { ...last, text: last.text + text });
    else this.#append({ type: "message", role, text, contentId, complete: role === "user" });
  }

  #addThought(content: ReasonStartedContent | ReasonTextContent | ReasonFinishedContent): void {
    const { id } = content;
    const text = content.type === "reasonText" ? content.text : "";
    const complete = content.type === "reasonFinished";
    const totalTimeMs = content.type === "reasonFinished" ? content.totalTimeMs : undefined;
    const before = this.#thoughts.get(id);
    if (before === undefined || (!complete && before.text.length >= maxTextChars)) {
      if (before !== undefined) this.#history.swap(before, { ...before, complete: true });
      if (!complete) this.#append({ type: "thought", id, text, complete, totalTimeMs });
      return;
    }
    const entry = { ...before, text: before.text + text, complete, totalTimeMs };
    this.#follow(entry);
    this.#history.swap(before, entry);
  }

  #addToolCall(content: ToolCallContent): void {
    const before = this.toolCall(content.id);
    // Ids are unique in a session. When a server prepares a closed id again, it is another call.
    const isNew = before !== undefined && !isOpen(before) && content.type === "toolCallPrepare";
    if (isNew) this.#append({ type: "tool_call", toolCall: readToolCall(undefined, content) });
    else this.setToolCall(readToolCall(before, content));
  }

  #append(entry: SessionEntry): void {
    this.#complete();
    this.#push(entry);
  }

  #push(entry: SessionEntry): void {
    this.#follow(entry);
    this.#history.add(entry);
  }

  /** Notes an entry that later content may change. */
  #follow(entry: SessionEntry): void {
    if (entry.type === "tool_call") this.#calls.set(entry.toolCall.toolCallId, entry);
    if (entry.type !== "thought") return;
    if (entry.complete) this.#thoughts.delete(entry.id);
    else this.#thoughts.set(entry.id, entry);
  }

  #dropped(entry: SessionEntry): void {
    this.trimmed = true;
    if (entry.type === "tool_call" && this.#calls.get(entry.toolCall.toolCallId) === entry)
      this.#calls.delete(entry.toolCall.toolCallId);
    if (entry.type === "thought" && this.#thoughts.get(entry.id) === entry) this.#thoughts.delete(entry.id);
  }

  /** Completes the last message, so that later text begins a new one. */
  #complete(): void {
    const { last } = this.#history;
    if (last?.type === "message" && !last.complete) this.#history.swap(last, { ...last, complete: true });
  }
}
