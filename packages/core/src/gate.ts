/** One promise that everybody who waits for the same thing shares. It is made when somebody first waits. */
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

  /** Resolves the promise of everybody who waits now. */
  open(): void {
    this.#resolve?.();
    this.#promise = this.#resolve = undefined;
  }

  /** True while somebody waits. */
  get awaited(): boolean {
    return this.#promise !== undefined;
  }
}
