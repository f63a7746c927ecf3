/** One promise that all waiters for the same event share. It is created for the first waiter. */
export class Gate {
  #promise: Promise<void> | undefined;
  #resolve: (() => void) | undefined;

  /**
   * The promise that the next `open()` resolves. It never rejects: a promise that nobody awaits must not end the
   * process.
   */
  wait(): Promise<void> {
    return (this.#promise ??= new Promise((resolve) => {
      this.#resolve = resolve;
    }));
  }

  /** Resolves the promise of the current waiters. */
  open(): void {
    this.#resolve?.();
    this.#promise = this.#resolve = undefined;
  }

  /** True while there are waiters. */
  get awaited(): boolean {
    return this.#promise !== undefined;
  }
}
