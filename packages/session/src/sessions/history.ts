import { charsOf } from "@editwire/peer";

/** How much a history keeps. */
export interface HistoryLimits {
  /** Default 10,000. */
  maxItems?: number | undefined;
  /** Characters of all items as JSON text, approximately. Default 16 Mi. */
  maxChars?: number | undefined;
}

/** The last items of a sequence, bounded by their count and their size. The oldest are dropped first. */
export class History<Item> {
  readonly #maxItems: number;
  readonly #maxChars: number;
  readonly #onDrop: (item: Item) => void;
  /** `undefined` stands for a dropped item until both arrays are copied. */
  #items: (Item | undefined)[] = [];
  /** The characters of each item. A pair for each item would be one more object that lives long, and costs more. */
  #sizes: number[] = [];
  /** Index of the oldest kept item in both arrays. */
  #first = 0;
  #chars = 0;

  /** `onDrop` is called with each item that a limit drops. */
  constructor(
    { maxItems = 10_000, maxChars = 16 * 1_048_576 }: HistoryLimits = {},
    onDrop: (item: Item) => void = () => {},
  ) {
    this.#maxItems = maxItems;
    this.#maxChars = maxChars;
    this.#onDrop = onDrop;
  }

  /** The kept items, oldest first. */
  get items(): readonly Item[] {
    return this.#items.slice(this.#first) as Item[];
  }

  /** The characters of the kept items, approximately. */
  get chars(): number {
    return this.#chars;
  }

  /** Adds an item. One that is larger than the whole limit is not kept, and everything before it is dropped. */
  add(item: Item): void {
    const chars = charsOf(item);
    this.#items.push(item);
    this.#sizes.push(chars);
    this.#chars += chars;
    this.#trim();
  }

  /** The newest item. */
  get last(): Item | undefined {
    return this.#count === 0 ? undefined : this.#items.at(-1);
  }

  /** Puts another item in the place of one, which is looked for from the newest on. */
  swap(before: Item, after: Item): void {
    const index = this.#items.lastIndexOf(before);
    if (index < this.#first) return;
    const chars = charsOf(after);
    this.#chars += chars - (this.#sizes[index] ?? 0);
    this.#items[index] = after;
    this.#sizes[index] = chars;
    this.#trim();
  }

  /** Replaces all items. */
  replace(items: Iterable<Item>): void {
    this.#items = [];
    this.#sizes = [];
    this.#first = 0;
    this.#chars = 0;
    for (const item of items) this.add(item);
  }

  get #count(): number {
    return this.#items.length - this.#first;
  }

  #trim(): void {
    while (this.#count > this.#maxItems || this.#chars > this.#maxChars) this.#dropFirst();
  }

  #dropFirst(): void {
    const dropped = this.#items[this.#first] as Item;
    this.#chars -= this.#sizes[this.#first] ?? 0;
    this.#items[this.#first++] = undefined;
    this.#onDrop(dropped);
    // One copy for many drops: a copy for each would take time in proportion to the whole history.
    if (this.#first < this.#items.length / 2) return;
    this.#items = this.#items.slice(this.#first);
    this.#sizes = this.#sizes.slice(this.#first);
    this.#first = 0;
  }
}
