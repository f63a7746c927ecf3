import type { Conversation, Received } from "./conversation.js";
import { CaseEnd, ExpectationError } from "../errors.js";
import type { Fatal } from "./fatal.js";
import type { Silence } from "./silence.js";
import { alarm, type Time } from "./time.js";

/** The longest wait for what a target has never sent, before scaling; it is also at most a fifth of the usual one. */
const HOPELESS_MS = 1_000;

/** The limits of one wait. */
export interface WaitOptions {
  /** Milliseconds before scaling. Default: the case's. */
  readonly deadline?: number | undefined;
}

/** The limits of a wait for what arrives after a position in the trace. */
export interface WaitAfter extends WaitOptions {
  readonly after?: number | undefined;
}

/** The subject of a wait. */
export interface Wanted<T> {
  /** For the report. */
  readonly what: string;
  /** The kind of message, such as "the answer to session/new": a kind that has never arrived gets less time. */
  readonly kind?: string | undefined;
  /** Returns what was found, or `undefined`. */
  look(): T | undefined;
}

/** The settings of the waits of one case. */
export interface WaitSetting {
  readonly conversation: Conversation;
  readonly time: Time;
  /** Milliseconds before scaling. */
  readonly deadline: number;
  /** Ends every wait, because the target sent something that is not a message. */
  readonly fatal: Fatal;
  /** The kinds of messages that the target of the run has never sent. */
  readonly silence?: Silence | undefined;
}

/** The waits of one case on one connection. */
export class Waits {
  /** The index of the first message that the target sent since the case began. */
  readonly from: number;
  readonly #consumed = new Set<Received>();
  readonly #pending = new Set<(error: Error) => void>();

  constructor(readonly setting: WaitSetting) {
    this.from = setting.conversation.isNew ? 0 : setting.conversation.received.length;
  }

  /** The messages that the target sent since the case began. */
  history(): Received[] {
    return this.setting.conversation.received.slice(this.from);
  }

  /** The messages that the case has not consumed. */
  unread(): Received[] {
    return this.history().filter((message) => !this.#consumed.has(message));
  }

  consume(message: Received): void {
    this.#consumed.add(message);
  }

  /** Position in the trace of the last entry. */
  now(): number {
    return this.setting.conversation.link.trace.entries.length - 1;
  }

  /** Waits until something is found. Rejects with an `ExpectationError`, which need not be handled. */
  until<T>(wanted: Wanted<T>, options?: WaitOptions): Promise<T> {
    const { conversation, time, deadline, fatal, silence } = this.setting;
    const { link, open } = conversation;
    const { what, kind = "" } = wanted;
    const isHopeless = silence?.isHopeless(kind) === true;
    const isFull = !isHopeless && (options?.deadline ?? deadline) >= deadline;
    const full = time.deadline(options?.deadline ?? deadline);
    const budget = Math.round(isHopeless ? Math.min(full / 5, time.deadline(HOPELESS_MS)) : full);
    const start = performance.now();
    const waiting = new Promise<T>((resolve, reject) => {
      const stop = (): void => {
        hush();
        unsubscribe();
        fatal.listeners.delete(check);
        this.#pending.delete(fail);
      };
      const fail = (error: Error): void => {
        stop();
        reject(error);
      };
      const check = (): void => {
        const found = wanted.look();
        if (found !== undefined) {
          silence?.arrived(kind);
          stop();
          resolve(found);
        } else if (fatal.problem !== undefined) {
          fail(new ExpectationError("invalid", fatal.problem, { expected: what, at: fatal.at }));
        }
      };
      const hush = alarm(budget, () => {
        if (isFull && kind !== "") silence?.missed(kind);
        const elapsed = Math.round(performance.now() - start);
        const outstanding = open.size > 0 ? `; unanswered: ${[...open.values()].join(", ")}` : "";
        fail(
          new ExpectationError("timeout", `nothing arrived within ${elapsed} ms (allowed: ${budget})${outstanding}`, {
            expected: what,
            actual: "nothing",
            at: this.now(),
          }),
        );
      });
      const unsubscribe = link.trace.subscribe(oncePerChunk(() => this.#pending.has(fail) && check()));
      fatal.listeners.add(check);
      this.#pending.add(fail);
      void link.ended.then(({ reason }) => {
        check();
        fail(new ExpectationError("closed", reason, { expected: what, actual: reason, at: this.now() }));
      });
      check();
    });
    return handled(waiting);
  }

  /** Ends the waits that are still open. Their subjects are not judged: the target had no more time for them. */
  close(): void {
    for (const fail of [...this.#pending]) fail(new CaseEnd("blocked", "the case is over"));
  }
}

/**
 * Acts once for all entries of a chunk, which are added in one go: to look at every message again for each message of a
 * flood would take minutes.
 */
function oncePerChunk(act: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      act();
    });
  };
}

/** A case may end while its waits are open; their rejections must not end the process. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Throws if the awaited message is invalid. */
export function requireValid({ problem, entry }: Received, expected: string): void {
  if (problem !== undefined)
    throw new ExpectationError("invalid", problem, { expected, actual: entry.message, at: entry.seq });
}
