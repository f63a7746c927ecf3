import { onAbort } from "@editwire/core/aborts";
import { type Deferred, deferred } from "./deferred.js";

/** A question that several may answer: the first answer counts. */
export class OpenAsk<Answer> {
  /** Aborts when there is an answer, or none will come. */
  readonly signal: AbortSignal;
  readonly #over = new AbortController();
  readonly #answer: Deferred<Answer | undefined> = deferred();
  readonly #stopWatching: (() => void) | undefined;
  #waiting = 0;

  /** `signal` ends it without an answer. */
  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#over.signal]);
    if (signal.aborted) this.#answer.resolve(undefined);
    else this.#stopWatching = onAbort(signal, () => this.#answer.resolve(undefined));
  }

  /** Adds one more who may answer. */
  add(answer: Promise<Answer | undefined>): void {
    this.#waiting++;
    void answer.then((given) => {
      this.#waiting--;
      if (given !== undefined || this.#waiting === 0) this.#answer.resolve(given);
    });
  }

  /** The first answer that is not `undefined`; `undefined` when nobody is left who could give one. */
  async answer(): Promise<Answer | undefined> {
    if (this.#waiting === 0) this.#answer.resolve(undefined);
    try {
      return await this.#answer.promise;
    } finally {
      this.#stopWatching?.();
      this.#over.abort();
    }
  }
}
