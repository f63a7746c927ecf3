import type { ChatContent, ChatHistoryMeta, ChatRole, FlagContent, ToolCalledContent } from "@editwire/eca-schema";
import { History } from "@editwire/session";

/** Contents that a session keeps. The oldest are dropped first. */
const maxItems = 10_000;
/** Characters that a session keeps, approximately. */
const maxChars = 4 * 1_048_576;

/** One content of a session's past. Text that came in pieces is one content. */
export interface KeptContent {
  /** Its position in the session, counted from the session's beginning. */
  readonly place: number;
  readonly role: ChatRole;
  readonly content: ChatContent;
}

/** A part of the past, and where it is. */
export interface RecordPage {
  readonly contents: readonly KeptContent[];
  readonly meta: ChatHistoryMeta;
}

/** Asks for a part of the past: at most `limit` contents, the last ones unless `after` is given. */
export interface RecordPart {
  readonly limit?: number | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** The cursor of the place where the model's context was shortened. Sessions here are not, so it bounds nothing. */
const compaction = "lastCompaction";

/** The contents that show that a call is decided. */
const settling = new Set(["toolCallRunning", "toolCalled", "toolCallRejected"]);

/** The messages of a session, in the form in which they are shown again. */
export class SessionRecord {
  readonly #history = new History<KeptContent>({ maxItems, maxChars });
  #next = 0;

  /** Everything that is kept. */
  get contents(): readonly KeptContent[] {
    return this.#history.items;
  }

  /** The characters of what is kept, approximately. */
  get chars(): number {
    return this.#history.chars;
  }

  /** The number of messages of the user and of the model. */
  get messages(): number {
    return this.contents.filter(({ role, content }) => content.type === "text" && role !== "system").length;
  }

  /** The ids of the user's messages, in order. */
  get prompts(): string[] {
    return this.contents.flatMap((kept) => promptIn(kept) ?? []);
  }

  /** Keeps a content. Progress and titles are not kept, nor is that a call runs. */
  add(role: ChatRole, content: ChatContent): void {
    if (content.type === "progress" || content.type === "metadata") return;
    if (settling.has(content.type)) this.#settle((content as ToolCalledContent).id);
    if (content.type === "toolCallRunning") return;
    const { last } = this.#history;
    const joined = last?.role === role ? join(last.content, content) : undefined;
    if (last !== undefined && joined !== undefined) this.#history.swap(last, { ...last, content: joined });
    else this.#history.add({ place: this.#next++, role, content });
  }

  /** A part of the past; `undefined` when a cursor names a content that is no longer kept. */
  part({ limit = 0, ...cursors }: RecordPart): RecordPage | undefined {
    const all = this.contents;
    const [before, after] = [cursors.before, cursors.after].map((cursor) =>
      cursor === compaction ? undefined : cursor,
    );
    const from = after === undefined ? 0 : this.#placed(after) + 1;
    const to = before === undefined ? all.length : this.#placed(before);
    if (to < 0 || (after !== undefined && from === 0)) return undefined;
    const found = all.slice(from, to);
    const contents = limit <= 0 ? found : after === undefined ? found.slice(-limit) : found.slice(0, limit);
    const [first, last] = [contents[0], contents.at(-1)];
    return {
      contents,
      meta: {
        total: all.length,
        returned: contents.length,
        ...(first === undefined || first === all[0] ? {} : { beforeCursor: String(first.place) }),
        ...(last === undefined || last === all.at(-1) ? {} : { afterCursor: String(last.place) }),
      },
    };
  }

  /** Puts a flag behind the last content of a message, a tool call or a thought. Returns false for an unknown one. */
  addFlag(id: string, flag: FlagContent): boolean {
    const all = this.contents;
    const index = all.findLastIndex(({ content }) => idsIn(content).includes(id));
    if (index < 0) return false;
    const kept: KeptContent = { place: this.#next++, role: "system", content: flag };
    this.#history.replace([...all.slice(0, index + 1), kept, ...all.slice(index + 1)]);
    return true;
  }

  /** Removes a flag. Returns false for an unknown one. */
  removeFlag(contentId: string): boolean {
    const all = this.contents;
    const others = all.filter(({ content }) => content.type !== "flag" || content.contentId !== contentId);
    if (others.length === all.length) return false;
    this.#history.replace(others);
    return true;
  }

  /** Forgets the user's message of this id, and what came after it. */
  cutBefore(contentId: string): void {
    this.#history.replace(this.contents.slice(0, Math.max(0, this.#indexOf(contentId))));
  }

  /** Copies another session's past up to the user's message of this id. */
  copy(other: SessionRecord, contentId: string): void {
    this.#history.replace(other.contents.slice(0, other.#indexOf(contentId) + 1));
    this.#next = other.#next;
  }

  clear(): void {
    this.#history.replace([]);
  }

  #placed(cursor: string): number {
    return this.contents.findIndex(({ place }) => String(place) === cursor);
  }

  #indexOf(contentId: string): number {
    return this.contents.findIndex((kept) => promptIn(kept) === contentId);
  }

  /** Marks a call as decided, so that a client that is shown it again does not ask the user. */
  #settle(id: string): void {
    const run = this.contents.findLast(({ content }) => content.type === "toolCallRun" && content.id === id);
    if (run === undefined) return;
    this.#history.swap(run, { ...run, content: { ...run.content, manualApproval: false } as ChatContent });
  }
}

/** The id of a message of the user. */
function promptIn({ role, content }: KeptContent): string | undefined {
  return role === "user" && content.type === "text" ? content.contentId : undefined;
}

/** The ids by which a flag can name a content. */
function idsIn(content: ChatContent): unknown[] {
  return ["contentId" in content && content.contentId, "id" in content && content.id];
}

/** Joins pieces of one text or thought. The user's messages are whole. */
function join(before: ChatContent, content: ChatContent): ChatContent | undefined {
  if (before.type === "text" && content.type === "text" && content.contentId === undefined)
    return { ...before, text: before.text + content.text };
  if (before.type === "reasonText" && content.type === "reasonText" && content.id === before.id)
    return { ...before, text: before.text + content.text };
  return undefined;
}
