/** Runs work one after the other in each lane; lanes do not wait for each other. */
export type Lanes = <Result>(lane: string, work: () => Promise<Result>) => Promise<Result>;

/** Opens lanes. A lane that is idle takes no memory. */
export function openLanes(): Lanes {
  const last = new Map<string, Promise<unknown>>();
  return async (lane, work) => {
    const before = last.get(lane) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(lane, mine);
    try {
      return await mine;
    } finally {
      if (last.get(lane) === mine) last.delete(lane);
    }
  };
}
