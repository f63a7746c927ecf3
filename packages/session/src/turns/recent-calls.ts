import { charsOf } from "@editwire/peer";
import { maxStateChars as maxChars } from "../state/entries.js";

const maxCalls = 1_000;

interface Entry<Call> {
  readonly call: Call;
  /** At least the characters of the call. */
  chars: number;
}

/**
 * Tool calls by id, for updates that say only what changed: at most 1,000 calls, and 2 Mi characters of them. Those
 * that changed the longest ago are forgotten first, and of too many characters those that have ended. The call that
 * changed last stays, however long it is.
 */
export class RecentCalls<Call> {
  readonly #calls = new Map<string, Entry<Call>>();
  readonly #isEnded: (call: Call) => boolean;
  /** At least the characters of all calls. To count them takes about as long as to parse the messages. */
  #chars = 0;
  #countAbove: number = maxChars;

  constructor(isEnded: (call: Call) => boolean) {
    this.#isEnded = isEnded;
  }

  get(id: string): Call | undefined {
    return this.#calls.get(id)?.call;
  }

  /** Puts a call in the place of its state before; `chars` are those of the message that changed it. */
  set(id: string, call: Call, chars: number): void {
    const before = this.#calls.get(id)?.chars ?? 0;
    this.#calls.delete(id);
    this.#calls.set(id, { call, chars: before + chars });
    this.#chars += chars;
    if (this.#calls.size > maxCalls) for (const oldest of this.#calls.keys()) return this.delete(oldest);
    if (this.#chars > this.#countAbove) this.#trim(id);
  }

  delete(id: string): void {
    this.#chars -= this.#calls.get(id)?.chars ?? 0;
    this.#calls.delete(id);
  }

  /** Counts, and forgets calls until half of the characters are left: each further count then has its messages. */
  #trim(kept: string): void {
    this.#chars = 0;
    for (const entry of this.#calls.values()) {
      entry.chars = charsOf(entry.call);
      this.#chars += entry.chars;
    }
    if (this.#chars > maxChars) for (const all of [false, true]) this.#forget(kept, all);
    this.#countAbove = Math.max(maxChars, this.#chars * 2);
  }

  #forget(kept: string, all: boolean): void {
    for (const [id, { call }] of this.#calls) {
      if (this.#chars <= maxChars / 2) return;
      if (id !== kept && (all || this.#isEnded(call))) this.delete(id);
    }
  }
}
