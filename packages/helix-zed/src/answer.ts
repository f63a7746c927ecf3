import type { MessageAddedParams } from "@editwire/helix-zed-schema";
import type { AnswerMessage } from "./records.js";

/** How long an answer may grow. */
export interface AnswerLimits {
  readonly maxMessages: number;
  readonly maxLength: number;
}

/** The answer to one request as its updates leave it: messages keep the order in which they began, the last update of each counts. */
export class Answer {
  readonly #limits: AnswerLimits;
  readonly #messages = new Map<string, AnswerMessage>();
  #length = 0;

  constructor(limits: AnswerLimits, messages: readonly AnswerMessage[] = []) {
    this.#limits = limits;
    for (const message of messages) this.#set(message);
  }

  get messages(): AnswerMessage[] {
    return [...this.#messages.values()];
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  message(id: string): AnswerMessage | undefined {
    return this.#messages.get(id);
  }

  /** Takes an update; false when the answer would grow beyond its limits. */
  update({ message_id: id, content, timestamp, entry_type: entryType, tool_name: toolName, tool_status: toolStatus }: MessageAddedParams): boolean {
    const before = this.#messages.get(id);
    if (before === undefined && this.#messages.size >= this.#limits.maxMessages) return false;
    if (this.#length - (before?.content.length ?? 0) + content.length > this.#limits.maxLength) return false;
    this.#set({ id, content, timestamp, entryType, toolName, toolStatus });
    return true;
  }

  #set(message: AnswerMessage): void {
    this.#length += message.content.length - (this.#messages.get(message.id)?.content.length ?? 0);
    this.#messages.set(message.id, message);
  }
}
