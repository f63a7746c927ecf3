/**
 * The cursor of the page before what is shown. A cursor that was there before ends the past, as an empty one does: a
 * server that repeats one would send the same page forever.
 */
export class PastCursor {
  readonly #seen = new Set<string>();
  #value: string | undefined;

  /** `undefined` when there is no earlier page. */
  get value(): string | undefined {
    return this.#value;
  }

  /** Moves to the page before one that was read. */
  set(cursor: string | undefined): void {
    this.#value = cursor === undefined || cursor === "" || this.#seen.has(cursor) ? undefined : cursor;
    if (this.#value !== undefined) this.#seen.add(this.#value);
  }

  /** Begins at the last page again. */
  restart(cursor: string | undefined): void {
    this.#seen.clear();
    this.set(cursor);
  }
}
