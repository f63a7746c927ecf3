import { charsOf } from "@editwire/peer";

/** How much a history keeps. */
export interface HistoryLimits {
  /** Default 10,000. */
  maxItems?: number | undefined;
  /** Characters of all items as JSON text, approximately. Default 16 Mi. */
  maxChars?: number | undefined;
  /** Newest items that stay, however large they are. Default 0. */
  minItems?: number | undefined;
}

interface Entry<Item> {
  readonly item: Item;
  readonly chars: number;
}

/** The last items of a sequence, bounded by their count and their size. The oldest are dropped first. */
export class History<Item> {
  readonly #maxItems: number;
  readonly #maxChars: number;
  readonly #minItems: number;
  readonly #onDrop: (item: Item) => void;
  /** `undefined` stands for a dropped item until the array is copied. */
  #entries: (Entry<Item> | undefined)[] = [];
  #first = 0;
  #chars = 0;

  /** `onDrop` is called with each item that a limit drops. */
  constructor(
    { maxItems = 10_000, maxChars = 16 * 1_048_576, minItems = 0 }: HistoryLimits = {},
    onDrop: (item: Item) => void = () => {},
  ) {
    this.#maxItems = maxItems;
    this.#maxChars = maxChars;
    this.#minItems = minItems;
    this.#onDrop = onDrop;
  }

  /** The kept items, oldest first. */
  get items(): readonly Item[] {
    return (this.#entries.slice(this.#first) as Entry<Item>[]).map(({ item }) => item);
  }

  /** The characters of the kept items, approximately. */
  get chars(): number {
    return this.#chars;
  }

  /**
   * Adds an item. One that is larger than the whole limit is not kept without `minItems`, and everything before it is
   * dropped.
   */
  add(item: Item): void {
    const chars = charsOf(item);
    this.#entries.push({ item, chars });
    this.#chars += chars;
    this.#trim();
  }

  /** The newest item. */
  get last(): Item | undefined {
    return this.#count === 0 ? undefined : this.#entries.at(-1)?.item;
  }

  /** Puts another item in the place of one, which is looked for from the newest on. */
  swap(before: Item, after: Item): void {
    const index = this.#entries.findLastIndex((entry, place) => place >= this.#first && entry?.item === before);
    if (index < 0) return;
    const chars = charsOf(after);
    this.#chars += chars - (this.#entries[index]?.chars ?? 0);
    this.#entries[index] = { item: after, chars };
    this.#trim();
  }

  /** Replaces all items. */
  replace(items: Iterable<Item>): void {
    this.#entries = [];
    this.#first = 0;
    this.#chars = 0;
    for (const item of items) this.add(item);
  }

  get #count(): number {
    return this.#entries.length - this.#first;
  }

  #trim(): void {
    while (this.#count > this.#maxItems || (this.#chars > this.#maxChars && this.#count > this.#minItems))
      this.#dropFirst();
  }

  #dropFirst(): void {
    const dropped = this.#entries[this.#first];
    this.#chars -= dropped?.chars ?? 0;
    this.#entries[this.#first++] = undefined;
    if (dropped !== undefined) this.#onDrop(dropped.item);
    // One copy for many drops: a copy for each would take time in proportion to the whole history.
    if (this.#first < this.#entries.length / 2) return;
    this.#entries = this.#entries.slice(this.#first);
    this.#first = 0;
  }
}
