/** The messages that a reader has not seen as they are now. A slow reader holds their ids and no texts. */
export class AnswerReader {
  readonly #unseen: Set<string>;
  #restarted = false;
  #wake: (() => void) | undefined;

  constructor(ids: readonly string[]) {
    this.#unseen = new Set(ids);
  }

  /** There is something to take. */
  get isBehind(): boolean {
    return this.#restarted || this.#unseen.size > 0;
  }

  /** A message has another text. */
  changed(id: string): void {
    this.#unseen.add(id);
    this.wake();
  }

  /** The answer begins again. */
  restart(): void {
    this.#unseen.clear();
    this.#restarted = true;
    this.wake();
  }

  /** Takes what is unseen; later messages may change before their turn. */
  *take(): Generator<"restart" | { readonly id: string }> {
    if (this.#restarted) {
      this.#restarted = false;
      yield "restart";
    }
    for (const id of this.#unseen) {
      this.#unseen.delete(id);
      yield { id };
      if (this.#restarted) return;
    }
  }

  /** Resolves at the next change. */
  news(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  wake(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
