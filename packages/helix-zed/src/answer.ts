import type { MessageAddedParams } from "@editwire/helix-zed-schema";
import type { AnswerMessage } from "./records.js";

/** How long an answer may grow. */
export interface AnswerLimits {
  readonly maxMessages: number;
  /** Characters of all texts, ids and names. */
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
    return this.messages.every(({ content }) => content === "");
  }

  message(id: string): AnswerMessage | undefined {
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
  }: MessageAddedParams): boolean {
    const before = this.#messages.get(id);
    if (before === undefined && this.#messages.size >= this.#limits.maxMessages) return false;
    const message = { id, content, timestamp, entryType, toolName, toolStatus };
    if (this.#length - lengthOf(before) + lengthOf(message) > this.#limits.maxLength) return false;
    this.#set(message);
    return true;
  }

  #set(message: AnswerMessage): void {
    this.#length += lengthOf(message) - lengthOf(this.#messages.get(message.id));
    this.#messages.set(message.id, message);
  }
}

function lengthOf(message: AnswerMessage | undefined): number {
  if (message === undefined) return 0;
  const { id, content, entryType, toolName, toolStatus } = message;
  return id.length + content.length + (entryType?.length ?? 0) + (toolName?.length ?? 0) + (toolStatus?.length ?? 0);
}
