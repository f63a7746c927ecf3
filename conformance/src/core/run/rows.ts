/** The rows that `rowsOf` makes of each item, as one table. */
export function rowsOfEach<Item, Row>(
  items: readonly Item[],
  rowsOf: (item: Item, index: number) => Readonly<Record<string, Row>>,
): Readonly<Record<string, Row>> {
  return Object.fromEntries(items.flatMap((item, index) => Object.entries(rowsOf(item, index))));
}
