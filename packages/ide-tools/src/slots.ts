/** Runs work when one of a number of slots is free, in the order of the calls. */
export type Slots = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Opens `count` slots. */
export function openSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The slot passes to the next in line without becoming free in between.
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
