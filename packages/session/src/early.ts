import type { Diagnostic } from "@editwire/core";
import { startTimer } from "@editwire/core/timers";
import { charsOf } from "@editwire/peer";

/** Messages that are kept for ids that are not known yet. */
const maxMessages = 10_000;
/** Characters of them. */
const maxChars = 16 * 1_048_576;
/** Ids whose dropped messages are reported by themselves in a second. */
const maxReportedIds = 100;

/** How dropped messages are reported. */
export interface EarlyReport {
  /** The id of the diagnostic, such as `unknown-session`. */
  readonly id: string;
  /** The method of the messages. */
  readonly method: string;
  /** What the ids name, such as `session`. */
  readonly subject: string;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
}

/** Keeps messages that overtake the answer which opens their session. */
export class EarlyMessages<Message> {
  readonly #report: EarlyReport;
  readonly #messages = new Map<string, Message[]>();
  /** How many messages were dropped in this second after the first one, by id. */
  readonly #dropped = new Map<string, number>();
  /** How many were dropped besides. */
  #others = 0;
  #count = 0;
  #chars = 0;
  #opening = 0;

  constructor(report: EarlyReport) {
    this.#report = report;
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
      if (this.#opening === 0) for (const id of [...this.#messages.keys()]) this.#drop(id, this.take(id).length);
    }
  }

  /**
   * Keeps a message for an unknown id. It is dropped and reported when no session is being opened, or too much is
   * kept. Each second has at most two reports for each of 100 ids, and one for all others.
   */
  keep(id: string, message: Message): void {
    const chars = charsOf(message);
    if (this.#opening === 0 || this.#count >= maxMessages || this.#chars + chars > maxChars) return this.#drop(id, 1);
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

  /** Reports the first message of each id in a second at once, and at its end how many others there were. */
  #drop(sessionId: string, count: number): void {
    if (this.#dropped.size === 0) startTimer(1_000, () => this.#nextSecond());
    const more = this.#dropped.get(sessionId);
    const isCounted = more !== undefined || this.#dropped.size < maxReportedIds;
    if (more === undefined && isCounted) this.#tell(count, "", sessionId);
    if (isCounted) this.#dropped.set(sessionId, more === undefined ? 0 : more + count);
    else this.#others += count;
  }

  #nextSecond(): void {
    for (const [sessionId, count] of this.#dropped) if (count > 0) this.#tell(count, "more ", sessionId);
    if (this.#others > 0) this.#tell(this.#others, "more ", undefined);
    this.#dropped.clear();
    this.#others = 0;
  }

  #tell(count: number, more: string, sessionId: string | undefined): void {
    const { id, method, subject, onDiagnostic } = this.#report;
    const whose = sessionId === undefined ? `other unknown ${subject}s` : `the unknown ${subject} ${sessionId}`;
    const what = `${count} ${more}message${count === 1 ? "" : "s"}`;
    onDiagnostic({ id, method, message: `${what} for ${whose} dropped` });
  }
}
