import type { HostLink } from "./host-link.js";

/**
 * A host's links by their agents' ids. One whose agent is away and for which nothing waits lives as long as somebody holds a session of
 * it: whatever ids agents dial under, what they leave behind is in the store.
 */
export class HostLinks {
  readonly #make: (agentId: string) => HostLink;
  readonly #links = new Map<string, WeakRef<HostLink>>();
  readonly #busy = new Set<HostLink>();
  readonly #dropped = new FinalizationRegistry<string>((agentId) => {
    if (this.#links.get(agentId)?.deref() === undefined) this.#links.delete(agentId);
  });

  #closed = false;

  constructor(make: (agentId: string) => HostLink) {
    this.#make = make;
  }

  /** The link of this id, made if there is none. */
  of(agentId: string): HostLink {
    const known = this.#links.get(agentId)?.deref();
    if (known !== undefined) return known;
    const link = this.#make(agentId);
    this.#links.set(agentId, new WeakRef(link));
    this.#dropped.register(link, agentId);
    if (this.#closed) void link.close();
    return link;
  }

  /** Holds a link while it is busy. */
  hold(link: HostLink, isBusy: boolean): void {
    if (isBusy) this.#busy.add(link);
    else this.#busy.delete(link);
  }

  /** Closes all links, and those that are still asked for. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#links.values()].map((link) => link.deref()?.close()));
  }
}
