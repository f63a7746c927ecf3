/** Does one thing after another. Work that finds it idle and returns no promise is done at once, without a promise. */
export class Mailbox {
  readonly #onError: (error: unknown) => void;
  readonly #onIdle: () => void;
  #last: Promise<void> | undefined;

  /**
   * `onError` gets what the work throws. `onIdle` is called when all work that had to wait is done. Neither may throw.
   */
  constructor(onError: (error: unknown) => void, onIdle: () => void = () => {}) {
    this.#onError = onError;
    this.#onIdle = onIdle;
  }

  get isIdle(): boolean {
    return this.#last === undefined;
  }

  /** Does it now, or when everything before it is done. The promise, if there is one, never rejects. */
  run(work: () => void | Promise<void>): void | Promise<void> {
    if (this.#last !== undefined) return this.#follow(this.#last.then(work));
    try {
      const working = work();
      if (working !== undefined) return this.#follow(working);
    } catch (error) {
      this.#onError(error);
    }
  }

  async #follow(working: Promise<void>): Promise<void> {
    const done = working.catch(this.#onError);
    this.#last = done;
    await done;
    if (this.#last !== done) return;
    this.#last = undefined;
    this.#onIdle();
  }
}
