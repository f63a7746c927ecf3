/** Loads that are running, and cancels that arrive for a turn which waits for one. */
export class PendingLoads {
  readonly #loads = new Map<string, { done: Promise<unknown>; waiting: number; cancelled: boolean }>();

  /** Runs one load; prompts for its session wait until it is done. */
  async run<T>(sessionId: string, load: () => Promise<T>): Promise<T> {
    const done = load();
    const entry = { done, waiting: 0, cancelled: false };
    this.#loads.set(sessionId, entry);
    try {
      return await done;
    } finally {
      if (this.#loads.get(sessionId) === entry) this.#loads.delete(sessionId);
    }
  }

  has(sessionId: string): boolean {
    return this.#loads.has(sessionId);
  }

  /** Waits for a session's load; true when a cancel came meanwhile. */
  async wait(sessionId: string): Promise<boolean> {
    const entry = this.#loads.get(sessionId);
    if (entry === undefined) return false;
    entry.waiting += 1;
    await entry.done.catch(() => {}); // the load answers its own failure; the prompt then finds no session
    return entry.cancelled;
  }

  /** Remembers a cancel for the prompt that waits; false when none does. */
  cancel(sessionId: string): boolean {
    const entry = this.#loads.get(sessionId);
    if (entry === undefined || entry.waiting === 0) return false;
    entry.cancelled = true;
    return true;
  }
}
