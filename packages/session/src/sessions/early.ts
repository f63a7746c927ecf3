import { charsOf } from "@editwire/peer";
import { DroppedMessages, type DroppedReport } from "./dropped.js";

/** Messages that are kept for ids that are not known yet. */
const maxMessages = 10_000;
/** Characters of them. */
const maxChars = 16 * 1_048_576;

/** Keeps messages that overtake the answer which opens their session. */
export class EarlyMessages<Message> {
  readonly #dropped: DroppedMessages;
  readonly #messages = new Map<string, Message[]>();
  #count = 0;
  #chars = 0;
  #opening = 0;

  constructor(report: DroppedReport) {
    this.#dropped = new DroppedMessages(report);
  }

  /**
   * Runs what opens a session. Until it settles, messages for unknown ids are kept; what nobody took is then dropped.
   */
  async during<T>(open: () => Promise<T>): Promise<T> {
    this.#opening++;
    try {
      return await open();
    } finally {
      this.#opening--;
      if (this.#opening === 0) for (const id of [...this.#messages.keys()]) this.#dropped.add(id, this.take(id).length);
    }
  }

  /**
   * Keeps a message for an unknown id. It is dropped and reported when no session is being opened, or too much is
   * kept.
   */
  keep(id: string, message: Message): void {
    const chars = charsOf(message);
    if (this.#opening === 0 || this.#count >= maxMessages || this.#chars + chars > maxChars)
      return this.#dropped.add(id, 1);
    this.#count++;
    this.#chars += chars;
    const kept = this.#messages.get(id);
    if (kept === undefined) this.#messages.set(id, [message]);
    else kept.push(message);
  }

  /** Removes and returns the messages for an id, oldest first. */
  take(id: string): Message[] {
    const messages = this.#messages.get(id) ?? [];
    this.#messages.delete(id);
    this.#count -= messages.length;
    this.#chars = this.#count === 0 ? 0 : this.#chars - messages.reduce((chars, each) => chars + charsOf(each), 0);
    return messages;
  }
}
