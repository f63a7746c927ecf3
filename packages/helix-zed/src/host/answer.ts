import type { HelixZedParams } from "@editwire/helix-zed-schema";
import type { HelixZedAnswerMessage } from "./records.js";

/** How long an answer may grow. */
export interface AnswerLimits {
  readonly maxMessages: number;
  /** Characters of all texts, ids and names. */
  readonly maxLength: number;
}

/** The answer to one request. Messages keep the order in which they began, and the last update of each counts. */
export class Answer {
  readonly #limits: AnswerLimits;
  readonly #messages = new Map<string, HelixZedAnswerMessage>();
  #length = 0;

  constructor(limits: AnswerLimits, messages: readonly HelixZedAnswerMessage[] = []) {
    this.#limits = limits;
    for (const message of messages) this.#set(message);
  }

  get messages(): HelixZedAnswerMessage[] {
    return [...this.#messages.values()];
  }

  get isEmpty(): boolean {
    return this.messages.every(({ content }) => content === "");
  }

  /** Removes everything. False when there was nothing. */
  clear(): boolean {
    const isChanged = this.#messages.size > 0;
    this.#messages.clear();
    this.#length = 0;
    return isChanged;
  }

  /** Puts messages in front of those that it has. Of a message that it has, its own version stays. */
  prepend(messages: readonly HelixZedAnswerMessage[]): void {
    const own = this.messages;
    this.clear();
    for (const message of messages) this.#set(message);
    for (const message of own) this.#set(message);
  }

  message(id: string): HelixZedAnswerMessage | undefined {
    return this.#messages.get(id);
  }

  /** Takes an update; false when the answer would grow beyond its limits. */
  update({
    message_id: id,
    content,
    timestamp,
    entry_type: entryType,
    tool_name: toolName,
    tool_status: toolStatus,
  }: HelixZedParams<"message_added">): boolean {
    const before = this.#messages.get(id);
    if (before === undefined && this.#messages.size >= this.#limits.maxMessages) return false;
    const message = { id, content, timestamp, entryType, toolName, toolStatus };
    if (this.#length - lengthOf(before) + lengthOf(message) > this.#limits.maxLength) return false;
    this.#set(message);
    return true;
  }

  #set(message: HelixZedAnswerMessage): void {
    this.#length += lengthOf(message) - lengthOf(this.#messages.get(message.id));
    this.#messages.set(message.id, message);
  }
}

function lengthOf(message: HelixZedAnswerMessage | undefined): number {
  if (message === undefined) return 0;
  const { id, content, entryType, toolName, toolStatus } = message;
  return id.length + content.length + (entryType?.length ?? 0) + (toolName?.length ?? 0) + (toolStatus?.length ?? 0);
}

/** The messages that a reader has not seen as they are now. A slow reader holds their ids and no texts. */
export class AnswerReader {
  readonly #unseen: Set<string>;
  #restarted = false;
  #wake: (() => void) | undefined;

  constructor(ids: readonly string[]) {
    this.#unseen = new Set(ids);
  }

  /** There is something to take. */
  get isBehind(): boolean {
    return this.#restarted || this.#unseen.size > 0;
  }

  /** A message has another text. */
  changed(id: string): void {
    this.#unseen.add(id);
    this.wake();
  }

  /** The answer begins again. */
  restart(): void {
    this.#unseen.clear();
    this.#restarted = true;
    this.wake();
  }

  /** Takes what is unseen; later messages may change before their turn. */
  *take(): Generator<"restart" | { readonly id: string }> {
    if (this.#restarted) {
      this.#restarted = false;
      yield "restart";
    }
    for (const id of this.#unseen) {
      this.#unseen.delete(id);
      yield { id };
      if (this.#restarted) return;
    }
  }

  /** Resolves at the next change. */
  news(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  wake(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
