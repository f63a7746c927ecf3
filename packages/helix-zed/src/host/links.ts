import type { HostContext } from "./context.js";
import { HostLink } from "./link.js";

/**
 * A host's links by their agents' ids. A link is dropped as soon as it is idle: its agent is not connected, nothing is
 * being done or saved, no interaction waits, and no session has a subscriber. The state of a dropped link is in the
 * store, and is loaded again when it is needed.
 */
export class HostLinks {
  readonly #context: HostContext;
  readonly #links = new Map<string, HostLink>();
  #isClosed = false;

  constructor(context: HostContext) {
    this.#context = context;
  }

  get all(): IterableIterator<HostLink> {
    return this.#links.values();
  }

  /** The link of this id, if there is one. */
  find(agentId: string): HostLink | undefined {
    return this.#links.get(agentId);
  }

  /** The link of this id, made if there is none. */
  of(agentId: string): HostLink {
    const known = this.find(agentId);
    if (known !== undefined) return known;
    const link = new HostLink(agentId, this.#context, (one) => this.#drop(one));
    link.isClosed = this.#isClosed;
    this.#links.set(agentId, link);
    return link;
  }

  /** Closes all links. Those that are asked for later are closed too. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#links.values()].map((link) => link.close()));
  }

  #drop(link: HostLink): void {
    if (link.isIdle && this.find(link.agentId) === link) this.#links.delete(link.agentId);
  }
}
