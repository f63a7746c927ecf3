import type { ChatContent, ChatRole } from "@editwire/eca-schema";
import { beginning, type WithHistory } from "@editwire/session";
import type { ServerTurn } from "./turn.js";
import { type KeptContent, SessionRecord } from "./record.js";
import type { EcaUsage } from "./usage.js";
import type { EcaServerSession } from "./session-api.js";

/** Characters of a title that is made of the first prompt. */
const maxTitle = 80;

/** An `EcaServerSession` with the part that the connection uses. */
export class ServerSession implements EcaServerSession, WithHistory {
  readonly id: string;
  /** A client may not know such an id yet. */
  readonly minted: boolean;
  readonly state = new Map<string, unknown>();
  readonly record = new SessionRecord();
  title: string | undefined;
  /** True when every tool call of it is approved. */
  trust = false;
  /** The user's choices for this session alone. */
  choice: { model?: string | undefined; behavior?: string | undefined } = {};
  /** The model of its last turn. */
  model: string | undefined;
  readonly createdAt = Date.now();
  updatedAt = this.createdAt;
  /** The usage of all answers in this session. */
  used: EcaUsage = { inputTokens: 0, outputTokens: 0 };
  /** The running turn. */
  turn: ServerTurn | undefined;
  /** True when the client was sent `chat/opened` for it, or does not need it. */
  opened: boolean;
  /** True when the client deleted it. A prompt for its id starts another session. */
  deleted = false;
  readonly #ids = new Set<string>();
  /** True when the record lost its beginning to the limit of all sessions. */
  #dropped = false;
  readonly #onGrowth: (session: ServerSession, chars: number) => void;

  /** `onGrowth` is called with the characters that the record grew by. */
  constructor(id: string, minted: boolean, onGrowth: (session: ServerSession, chars: number) => void) {
    this.id = id;
    this.minted = minted;
    this.opened = minted;
    this.#onGrowth = onGrowth;
  }

  get running(): boolean {
    return this.turn !== undefined;
  }

  /** An id for a tool call or a thought: the wanted one, unless the session has used it. */
  takeId(wanted?: string): string {
    const id = wanted === undefined || wanted === "" || this.#ids.has(wanted) ? crypto.randomUUID() : wanted;
    this.#ids.add(id);
    return id;
  }

  get historyChars(): number {
    return this.record.chars;
  }

  /** Forgets what the client was sent; the session stays in the list. */
  dropHistory(): void {
    this.title = this.listedTitle;
    this.record.clear();
    this.#dropped = true;
  }

  /** True when it has messages. */
  get hasPast(): boolean {
    return this.#dropped || this.record.contents.length > 0;
  }

  /** The title in a list: for a session without one, the beginning of its first prompt. */
  get listedTitle(): string | undefined {
    return this.title ?? titleOf(this.record.contents);
  }

  /** Keeps what the client is sent for this session. */
  keep(role: ChatRole, content: ChatContent): void {
    if (content.type === "metadata") this.title = content.title ?? this.title;
    this.updatedAt = Date.now();
    const before = this.record.chars;
    this.record.add(role, content);
    this.#onGrowth(this, this.record.chars - before);
  }

  /** Copies another session's past up to the user's message of this id. */
  copy({ record }: ServerSession, contentId: string): void {
    this.record.copy(record, contentId);
    this.#onGrowth(this, this.record.chars);
  }
}

/** The beginning of the first prompt, for a session without a title. */
function titleOf(contents: readonly KeptContent[]): string | undefined {
  const prompt = contents.find(({ role, content }) => role === "user" && content.type === "text")?.content;
  const [line = ""] = prompt?.type === "text" ? prompt.text.trim().split("\n", 1) : [];
  return line === "" ? undefined : beginning(line, maxTitle);
}
