/** A signal that is made when it is read: most turns end without anybody watching them. */
export class LazySignal {
  #controller: AbortController | undefined;
  #isAborted = false;

  get aborted(): boolean {
    return this.#isAborted;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  abort(): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#controller?.abort();
  }
}
