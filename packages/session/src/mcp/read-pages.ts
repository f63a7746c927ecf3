/** One page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins. Absent, null or empty: this is the last one. */
  readonly nextCursor?: string | null | undefined;
}

/** Pages of one list that are read at most. */
const maxPages = 100;

/**
 * Reads a list that comes in pages, up to `maxItems` items. An item whose key was there before is left out. Reading
 * ends at a cursor that was there before, because a peer that repeats one would send pages forever. Rejects with what
 * `read` rejects with.
 */
export async function readPages<Item>(
  read: (cursor: string | undefined) => Promise<ListPage<Item>>,
  keyOf: (item: Item) => unknown,
  maxItems = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const found = new Map<unknown, Item>();
  const cursors = new Set<string | undefined>();
  let cursor: string | undefined;
  while (!cursors.has(cursor) && cursors.size < maxPages && found.size < maxItems) {
    cursors.add(cursor);
    const { items, nextCursor } = await read(cursor);
    for (const item of items) if (!found.has(keyOf(item))) found.set(keyOf(item), item);
    if (!nextCursor) break;
    cursor = nextCursor;
  }
  return [...found.values()].slice(0, maxItems);
}
