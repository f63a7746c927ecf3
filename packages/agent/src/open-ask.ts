import { type Deferred, deferred } from "./deferred.js";

/** A question that several may answer: the first answer counts. */
export class OpenAsk<Answer> {
  /** Aborts when there is an answer, or none will come. */
  readonly signal: AbortSignal;
  readonly #over = new AbortController();
  readonly #answer: Deferred<Answer | undefined> = deferred();
  #waiting = 0;

  /** `signal` ends it without an answer. */
  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#over.signal]);
    if (signal.aborted) this.#answer.resolve(undefined);
    else signal.addEventListener("abort", () => this.#answer.resolve(undefined), { signal: this.#over.signal });
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
      this.#over.abort();
    }
  }
}
