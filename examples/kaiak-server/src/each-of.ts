/**
 * Works on items in their order, at most `width` at a time. After a failure no other item is begun, `stop` is called,
 * and the first failure is thrown once the running ones have ended.
 */
export async function eachOf<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<void>,
  stop: () => void,
): Promise<void> {
  const waiting = items.entries();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (failures.length > 0) return;
      try {
        await work(item, index);
      } catch (error) {
        failures.push(error);
        stop();
      }
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  if (failures.length > 0) throw failures[0];
}
