/** A map that keeps the values that were set last: beyond its limit, it forgets those that were set the longest ago. */
export class LatestMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number;

  /** @param max Values to keep. */
  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    const oldest = this.keys().next();
    if (this.size > this.#max && !oldest.done) this.delete(oldest.value);
    return this;
  }
}
