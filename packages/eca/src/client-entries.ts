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
  readonly #list: SessionEntry[] = [];
  /** Where each tool call is; the last one of its id. */
  readonly #calls = new Map<string, number>();
  /** Where each thought is that is not complete. */
  readonly #thoughts = new Map<string, number>();

  constructor(entries: Entries = []) {
    for (const entry of entries) this.#push(entry);
  }

  /** A copy. */
  get list(): Entries {
    return [...this.#list];
  }

  /** The tool call with this id; the last one if a server used the id twice. */
  toolCall(id: string): ToolCallState | undefined {
    const entry = this.#list[this.#calls.get(id) ?? -1];
    return entry?.type === "tool_call" ? entry.toolCall : undefined;
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
    const index = this.#calls.get(toolCall.toolCallId);
    if (index === undefined) this.#append({ type: "tool_call", toolCall });
    else this.#list[index] = { type: "tool_call", toolCall };
  }

  /** Completes the entries that are open when a turn ends. */
  endTurn(): void {
    this.#complete();
    this.#thoughts.clear();
    for (const [index, entry] of this.#list.entries()) {
      if (entry.type === "thought" && !entry.complete) this.#list[index] = { ...entry, complete: true };
      if (entry.type === "tool_call" && isOpen(entry.toolCall))
        this.#list[index] = { ...entry, toolCall: { ...entry.toolCall, status: "cancelled" } };
    }
  }

  /** A message of the user comes in one piece; other messages come in many. */
  #addText(role: ChatRole, text: string, contentId: string | undefined): void {
    const last = this.#list.at(-1);
    const goesOn = last?.type === "message" && last.role === role && !last.complete && role !== "user";
    if (goesOn) this.#list[this.#list.length - 1] = { ...last, text: last.text + text };
    else this.#append({ type: "message", role, text, contentId, complete: role === "user" });
  }

  #addThought(content: ReasonStartedContent | ReasonTextContent | ReasonFinishedContent): void {
    const { id } = content;
    const text = content.type === "reasonText" ? content.text : "";
    const complete = content.type === "reasonFinished";
    const totalTimeMs = content.type === "reasonFinished" ? content.totalTimeMs : undefined;
    const index = this.#thoughts.get(id);
    const before = this.#list[index ?? -1];
    if (index === undefined || before?.type !== "thought") {
      if (!complete) this.#append({ type: "thought", id, text, complete, totalTimeMs });
      return;
    }
    this.#list[index] = { ...before, text: before.text + text, complete, totalTimeMs };
    if (complete) this.#thoughts.delete(id);
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
    const index = this.#list.push(entry) - 1;
    if (entry.type === "tool_call") this.#calls.set(entry.toolCall.toolCallId, index);
    if (entry.type === "thought" && !entry.complete) this.#thoughts.set(entry.id, index);
  }

  /** Completes the last message, so that later text begins a new one. */
  #complete(): void {
    const last = this.#list.at(-1);
    if (last?.type === "message" && !last.complete) this.#list[this.#list.length - 1] = { ...last, complete: true };
  }
}
