/** Ids that are kept; the oldest are forgotten first. */
const maxIds = 1_000;

/** The newest ids of a sequence. */
export class RecentIds {
  readonly #ids = new Set<string>();

  add(id: string): void {
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > maxIds && oldest !== undefined) this.#ids.delete(oldest);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }
}
