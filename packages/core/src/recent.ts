/**
 * Looks up values by name and remembers the last one. Messages that follow each other often have the same method,
 * session or kind, and to compare a name that was just parsed takes a fraction of the time that a `Map` needs to hash
 * it.
 */
export class Recent<Value> {
  readonly #find: (name: string) => Value | undefined;
  #name: string | undefined;
  #value: Value | undefined;

  constructor(find: (name: string) => Value | undefined) {
    this.#find = find;
  }

  /** The value of this name. One that was found must stay the same. */
  get(name: string): Value | undefined {
    if (name === this.#name) return this.#value;
    const value = this.#find(name);
    if (value === undefined) return undefined;
    this.#name = name;
    return (this.#value = value);
  }
}
