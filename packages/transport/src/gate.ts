/** One promise, shared by everybody who waits for the same thing; made only when somebody does. */
export class Gate {
  #promise: Promise<void> | undefined;
  #resolve: (() => void) | undefined;

  /** The promise that the next `open()` resolves. */
  wait(): Promise<void> {
    return (this.#promise ??= new Promise((resolve) => {
      this.#resolve = resolve;
    }));
  }

  /** Lets everybody who waits go on. It never rejects: a promise that nobody awaits must not end the process. */
  open(): void {
    this.#resolve?.();
    this.#promise = this.#resolve = undefined;
  }
}
