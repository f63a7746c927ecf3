/** Does one thing after another. What finds it idle and does not wait itself is done at once, without a promise. */
export class Mailbox {
  readonly #onError: (error: unknown) => void;
  #last: Promise<void> | undefined;

  /** `onError` hears what the work throws; what it throws itself is lost: nothing may stop what comes after. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = (error) => {
      try {
        onError(error);
      } catch {
        // Nobody is left to tell.
      }
    };
  }

  /** Does it now, or once everything before it is done; the promise, if there is one, never rejects. */
  run(work: () => void | Promise<void>): void | Promise<void> {
    if (this.#last !== undefined) return this.#follow(this.#last.then(work));
    try {
      const working = work();
      if (working !== undefined) return this.#follow(working);
    } catch (error) {
      this.#onError(error);
    }
  }

  #follow(working: Promise<void>): Promise<void> {
    const done: Promise<void> = working.catch(this.#onError).then(() => {
      if (this.#last === done) this.#last = undefined;
    });
    this.#last = done;
    return done;
  }
}
