import type { SessionUpdate } from "@editwire/acp-schema";
import { WireError } from "@editwire/core";
import { charsOf } from "@editwire/peer";
import type { SessionLog } from "@editwire/session";

/** Characters of updates that may wait for the store and the client. */
const maxChars = 16 * 1_048_576;

export interface OutboxParts {
  readonly log: SessionLog<SessionUpdate>;
  /** Sends an update to the client of the session. */
  readonly deliver: (update: SessionUpdate) => void | Promise<void>;
  /** Called once, when the log fails. */
  readonly onFailure: (error: unknown) => void;
}

interface Item {
  readonly update: SessionUpdate;
  readonly isShown: boolean;
  readonly chars: number;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * The updates of a stored session on their way: each is in the log before the client gets it. Updates that are added
 * while the log writes are written together, so a fast turn costs one write for many updates.
 */
export class Outbox {
  readonly #parts: OutboxParts;
  /** The items of the next write. */
  #waiting: Item[] = [];
  #chars = 0;
  #isWriting = false;
  #last: Promise<unknown> = Promise.resolve();
  #failure: { error: unknown } | undefined;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /**
   * Adds an update. Resolves when the client has it; rejects with what the log or the client fails with. Throws
   * `WireError("overloaded")` when too much waits.
   */
  add(update: SessionUpdate, { isShown = true }: { isShown?: boolean } = {}): Promise<void> {
    const chars = charsOf(update);
    if (this.#chars + chars > maxChars)
      throw new WireError(
        "overloaded",
        `session/update: more than ${maxChars} characters wait for the session's store`,
      );
    this.#chars += chars;
    const added = new Promise<void>((resolve, reject) =>
      this.#waiting.push({ update, isShown, chars, resolve, reject }),
    );
    added.catch(() => {}); // who sends does not have to wait: the end of the turn reports it
    if (!this.#isWriting) void this.run(() => this.#write());
    this.#isWriting = true;
    return added;
  }

  /** Runs a job after all that was added before it, and before all that is added later. */
  run<T>(job: () => Promise<T>): Promise<T> {
    const result = this.#last.then(job);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Uses the log in its turn. A failure is the end of the outbox: nothing is sent that is not stored. */
  use<T>(action: (log: SessionLog<SessionUpdate>) => Promise<T>): Promise<T> {
    return this.run(() => this.#use(action));
  }

  /** The entries of the log, for a job that runs. */
  entries(): Promise<readonly SessionUpdate[]> {
    return this.#use((log) => log.entries());
  }

  /** Resolves when all that was added has arrived, or could not. Rejects with the failure of the log. */
  async settled(): Promise<void> {
    await this.#last;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #write(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    this.#isWriting = false;
    try {
      const kept = batch.map(({ update }) => update).filter(isKept);
      if (kept.length > 0) await this.#use((log) => log.append(kept));
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    } finally {
      for (const { chars } of batch) this.#chars -= chars;
    }
    for (const item of batch) await this.#deliver(item);
  }

  async #deliver({ update, isShown, resolve, reject }: Item): Promise<void> {
    try {
      if (isShown) await this.#parts.deliver(update);
      resolve();
    } catch (error) {
      reject(error);
    }
  }

  async #use<T>(action: (log: SessionLog<SessionUpdate>) => Promise<T>): Promise<T> {
    if (this.#failure !== undefined) throw this.#failure.error;
    try {
      return await action(this.#parts.log);
    } catch (error) {
      this.#failure = { error };
      this.#parts.onFailure(error);
      throw error;
    }
  }
}

/** Updates about what the answer to `session/load` says. */
const notReplayed: readonly string[] = ["current_mode_update", "config_option_update"];

/** Says whether an update belongs to the history of a session. */
export function isKept({ sessionUpdate }: SessionUpdate): boolean {
  return !notReplayed.includes(sessionUpdate);
}
