/// <reference lib="esnext.disposable" preserve="true" />
import type { Transport } from "@editwire/transport";
import { HostLink } from "./host-link.js";
import { HostLinks } from "./host-links.js";
import type { HelixHostOptions } from "./host-options.js";
import type { HelixSession } from "./host-session.js";
import { memoryStore } from "./memory-store.js";

/** The host's end: sessions, whose agents come and go. */
export interface HelixHost {
  /**
   * The session of this id; a new one begins with its first message. `agent` is the id under which its agent dials. Default: the
   * session's own id; sessions that name the same agent share its connection.
   */
  session(id: string, options?: { agent?: string | undefined }): HelixSession;
  /**
   * Takes a connection that an agent dialled under this id. The newest connection of an id wins: the one before is closed. Each
   * session's oldest waiting interaction is then sent on it, with the request id that it had.
   */
  attach(transport: Transport, agentId: string): void;
  /** Ends every connection, and resolves once the store has saved what it was asked to. What waits stays there, and is sent by the next host. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Makes a host; `@editwire/helix-zed/node` puts it behind an HTTP server. */
export function createHelixHost(options: HelixHostOptions = {}): HelixHost {
  const { store = memoryStore() } = options;
  const links: HostLinks = new HostLinks(
    (agentId) => new HostLink(agentId, store, options, (link, isBusy) => links.hold(link, isBusy)),
  );
  const close = (): Promise<void> => links.close();
  return {
    session: (id, { agent = id } = {}) => links.of(agent).session(id),
    attach: (transport, agentId) => links.of(agentId).attach(transport),
    close,
    [Symbol.asyncDispose]: close,
  };
}
