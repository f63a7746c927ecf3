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
import { Entries, type EntryId, isOpenCall, maxTextChars, type NewEntry } from "@editwire/session";
import { readToolCall, type ToolCallContent, type EcaToolCallState } from "./tool-call.js";

/** Content that is shown unchanged. */
type ShownContent = URLContent | ImageContent | FlagContent | HookActionStartedContent | HookActionFinishedContent;

/** One thing that a session shows, in the order in which it began. */
export type EcaEntry = EntryId &
  /** Text of one role, joined verbatim; `complete` when something else follows. */
  (
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
    | { readonly type: "tool_call"; readonly toolCall: EcaToolCallState }
    /** Any other content that is shown unchanged. */
    | { readonly type: "content"; readonly role: ChatRole; readonly content: ShownContent }
  );

type ThoughtEntry = Extract<EcaEntry, { type: "thought" }>;

/** The visible entries of a session: the contents of its messages, merged. */
export class ClientEntries extends Entries<EcaToolCallState, EcaEntry> {
  /** The place of each thought that is not complete. */
  readonly #thoughts = new Map<string, number>();

  constructor(entries: readonly NewEntry<EcaEntry>[] = []) {
    super();
    this.load(entries);
  }

  /** Replaces all entries. Those that have an id keep it. */
  load(entries: readonly NewEntry<EcaEntry>[]): void {
    this.clear();
    this.#thoughts.clear();
    for (const entry of entries) {
      const place = this.add(entry);
      if (entry.type === "thought" && !entry.complete) this.#thoughts.set(entry.id, place);
    }
  }

  /** Takes content. Returns false for content that is not shown. `chars` is the length of its message. */
  receive(role: ChatRole, content: ChatContent, chars?: number): boolean {
    switch (content.type) {
      case "text":
        this.#receiveText(role, content.text, content.contentId);
        return true;
      case "reasonStarted":
      case "reasonText":
      case "reasonFinished":
        this.#receiveThought(content);
        return true;
      case "toolCallPrepare":
      case "toolCallRun":
      case "toolCallRunning":
      case "toolCalled":
      case "toolCallRejected":
        this.#receiveToolCall(content, chars);
        return true;
      case "url":
      case "image":
      case "flag":
      case "hookActionStarted":
      case "hookActionFinished":
        this.#append({ type: "content", role, content }, chars);
        return true;
      default:
        return false;
    }
  }

  /** Completes the entries that are open when a turn ends. */
  endTurn(): void {
    this.#complete();
    for (const id of [...this.#thoughts.keys()]) this.#setThought(id, { complete: true });
    this.cancelToolCalls();
  }

  /** A message of the user comes in one piece; other messages come in many. */
  #receiveText(role: ChatRole, text: string, contentId: string | undefined): void {
    const { last } = this;
    const goesOn = last?.type === "message" && last.role === role && !last.complete;
    if (!goesOn || !this.extend(text))
      this.#append({ type: "message", role, text, contentId, complete: role === "user" });
  }

  #receiveThought(content: ReasonStartedContent | ReasonTextContent | ReasonFinishedContent): void {
    const { id } = content;
    if (content.type === "reasonFinished") {
      this.#setThought(id, { complete: true, totalTimeMs: content.totalTimeMs });
      return;
    }
    const text = content.type === "reasonText" ? content.text : "";
    const before = this.#thought(id);
    if (before !== undefined && before.text.length < maxTextChars) {
      this.#setThought(id, { text: before.text + text });
      return;
    }
    this.#setThought(id, { complete: true });
    this.#thoughts.set(id, this.#append({ type: "thought", id, text, complete: false, totalTimeMs: undefined }));
  }

  /** The thought of this id that is not complete. */
  #thought(id: string): ThoughtEntry | undefined {
    const place = this.#thoughts.get(id);
    const entry = place === undefined ? undefined : this.at(place);
    return entry?.type === "thought" ? entry : undefined;
  }

  #setThought(id: string, change: Partial<ThoughtEntry>): void {
    const [place, before] = [this.#thoughts.get(id), this.#thought(id)];
    if (place !== undefined && before !== undefined) this.replace(place, { ...before, ...change });
    if (change.complete === true) this.#thoughts.delete(id);
  }

  #receiveToolCall(content: ToolCallContent, chars: number | undefined): void {
    const before = this.toolCall(content.id);
    // Ids are unique in a session. When a server prepares a closed id again, it is another call.
    const isNew = before === undefined || (!isOpenCall(before) && content.type === "toolCallPrepare");
    const toolCall = readToolCall(isNew ? undefined : before, content);
    if (isNew) this.#append({ type: "tool_call", toolCall }, chars);
    else this.setToolCall(toolCall, chars);
  }

  #append(entry: NewEntry<EcaEntry>, chars?: number): number {
    this.#complete();
    return this.add(entry, chars);
  }

  /** Completes the last message, so that later text begins a new one. */
  #complete(): void {
    const last = this.at(this.lastPlace);
    if (last?.type === "message" && !last.complete) this.replace(this.lastPlace, { ...last, complete: true });
  }
}
