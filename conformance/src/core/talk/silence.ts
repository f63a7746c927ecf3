/** After this number of waits in vain for something that never arrived, later waits for it are shorter. */
const TRIES = 3;

/**
 * The kinds of messages that the suite waits for and that the target of a run has never sent, such as the answers to
 * one method.
 */
export class Silence {
  readonly #arrived = new Set<string>();
  readonly #missed = new Map<string, number>();

  /** Keeps that something arrived: from then on, waits for it have their full time. */
  arrived(what: string): void {
    this.#arrived.add(what);
    this.#missed.delete(what);
  }

  /** Keeps that something did not arrive in a wait of full time. */
  missed(what: string): void {
    if (!this.#arrived.has(what)) this.#missed.set(what, (this.#missed.get(what) ?? 0) + 1);
  }

  /** Whether later waits for something are shorter. */
  isHopeless(what: string): boolean {
    return (this.#missed.get(what) ?? 0) >= TRIES;
  }

  /** Says what never arrived, for the report. */
  get notes(): string[] {
    return [...this.#missed.keys()]
      .filter((what) => this.isHopeless(what))
      .map((what) => `${what} never arrived; after ${TRIES} waits in vain, the suite waits less for it`);
  }
}
