import type { ChatContent, ChatRole } from "@editwire/eca-schema";

/** Contents that a chat keeps; of more, the oldest go. */
const maxContents = 10_000;
/** Characters that a chat keeps, about. */
const maxChars = 4 * 1024 * 1024;

/** One content of a chat's past. Text that came in pieces is one content. */
export interface KeptContent {
  /** Where it stands in the chat, counted from its beginning. */
  readonly place: number;
  readonly role: ChatRole;
  readonly content: ChatContent;
}

/** Which part of the past is asked for: at most `limit` contents, the last ones unless `after` is given. */
export interface RecordPart {
  readonly limit?: number | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** What was said in a chat, as it can be shown again. */
export class ChatRecord {
  #kept: KeptContent[] = [];
  #chars = 0;
  #next = 0;

  /** All that is kept. */
  get contents(): readonly KeptContent[] {
    return this.#kept;
  }

  /** What the user and the model said, in messages. */
  get messages(): number {
    return this.#kept.filter(({ role, content }) => content.type === "text" && role !== "system").length;
  }

  /** Keeps a content, unless it tells of a moment only. */
  add(role: ChatRole, content: ChatContent): void {
    if (content.type === "progress" || content.type === "metadata") return;
    if (content.type === "toolCalled" || content.type === "toolCallRejected") this.#settle(content.id);
    const last = this.#kept.at(-1);
    const joined = last?.role === role ? join(last.content, content) : undefined;
    if (last !== undefined && joined !== undefined) this.#kept[this.#kept.length - 1] = { ...last, content: joined };
    else this.#kept.push({ place: this.#next++, role, content });
    this.#chars += sizeOf(content);
    if (this.#kept.length >= 2 * maxContents || this.#chars >= 2 * maxChars) this.#drop();
  }

  /** A part of the past, and whether there is more beyond it: before it, or with `after` behind it. */
  part({ limit = 0, before, after }: RecordPart): { contents: readonly KeptContent[]; hasMore: boolean } {
    const [from, to] = [placeOf(after, -1), placeOf(before, Infinity)];
    const found = this.#kept.filter(({ place }) => place > from && place < to);
    const contents = limit <= 0 ? found : after === undefined ? found.slice(-limit) : found.slice(0, limit);
    return { contents, hasMore: contents.length < found.length };
  }

  /** The ids of the user's messages, in order. */
  get prompts(): string[] {
    return this.#kept.flatMap(({ role, content }) =>
      role === "user" && typeof content["contentId"] === "string" ? [content["contentId"]] : [],
    );
  }

  /** Forgets the user's message of this id, and what came after it. */
  cutBefore(contentId: string): void {
    this.#kept = this.#kept.slice(0, Math.max(0, this.#indexOf(contentId)));
    this.#count();
  }

  /** Takes over another chat's past, up to the user's message of this id. */
  copy(other: ChatRecord, contentId: string): void {
    this.#kept = other.#kept.slice(0, other.#indexOf(contentId) + 1);
    this.#next = other.#next;
    this.#count();
  }

  clear(): void {
    this.#kept = [];
    this.#chars = 0;
  }

  #indexOf(contentId: string): number {
    return this.#kept.findIndex(({ role, content }) => role === "user" && content["contentId"] === contentId);
  }

  /** The user has decided: whoever is shown the call again is not asked. */
  #settle(id: string): void {
    const index = this.#kept.findLastIndex(({ content }) => content.type === "toolCallRun" && content["id"] === id);
    const run = this.#kept[index];
    if (run !== undefined)
      this.#kept[index] = { ...run, content: { ...run.content, manualApproval: false } as ChatContent };
  }

  /** In blocks: to drop one at a time would cost each content as much as the record is long. */
  #drop(): void {
    let room = maxChars;
    const first = this.#kept.findLastIndex(
      ({ content }, index) => this.#kept.length - index > maxContents || (room -= sizeOf(content)) < 0,
    );
    this.#kept = this.#kept.slice(first + 1);
    this.#count();
  }

  #count(): void {
    this.#chars = this.#kept.reduce((sum, { content }) => sum + sizeOf(content), 0);
  }
}

/** Pieces of one text or thought, put together; the user's messages are whole. */
function join(before: ChatContent, content: ChatContent): ChatContent | undefined {
  if (before.type === "text" && content.type === "text" && content.contentId === undefined)
    return { ...before, text: before.text + content.text };
  if (before.type === "reasonText" && content.type === "reasonText" && content.id === before.id)
    return { ...before, text: before.text + content.text };
  return undefined;
}

function sizeOf(content: ChatContent): number {
  return content.type === "text" || content.type === "reasonText"
    ? content.text.length
    : JSON.stringify(content).length;
}

function placeOf(cursor: string | undefined, otherwise: number): number {
  return cursor !== undefined && /^\d{1,15}$/.test(cursor) ? Number(cursor) : otherwise;
}
