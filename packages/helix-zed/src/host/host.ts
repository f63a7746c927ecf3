/// <reference lib="esnext.disposable" preserve="true" />
import { WireError } from "@editwire/core";
import type { Transport } from "@editwire/transport";
import { HostContext } from "./context.js";
import { HostLinks } from "./links.js";
import type { HelixZedHostOptions } from "./options.js";
import { type HelixZedSession, SessionHandle } from "./session.js";
import { hostClosed } from "./interaction.js";
import type { HelixZedSessionRecord } from "./records.js";

/** An agent that a host knows. */
export interface HelixZedAgentRecord {
  /** The id under which it dials. */
  readonly agentId: string;
  readonly connected: boolean;
}

/** The host's side: sessions, whose agents come and go. */
export interface HelixZedHost {
  /**
   * The session of this id; a new one begins with its first message. A session is found by its id alone. `agent` is the
   * id under which the agent of a new session dials, by default the session's own id; sessions of one agent share its
   * connection. Rejects with `WireError("invalid_params")` for an empty id and for a session of another agent, and with
   * what the store throws.
   */
  session(id: string, options?: { agent?: string | undefined }): Promise<HelixZedSession>;
  /** All sessions of the store, or those of one agent, in the order in which they began. */
  listSessions(options?: { agent?: string | undefined }): Promise<readonly HelixZedSessionRecord[]>;
  /** The agents that have sessions or are connected. */
  listAgents(): Promise<readonly HelixZedAgentRecord[]>;
  /** Deletes a session with its interactions. Turns that run in it reject with `WireError("aborted")`. */
  deleteSession(id: string): Promise<void>;
  /**
   * Takes a connection that an agent dialed under this id. The newest connection of an id wins: the one before is
   * closed. The oldest waiting interaction of each session is then sent on it, with the same request id.
   */
  attach(transport: Transport, agentId: string, options?: { instance?: string | undefined }): void;
  /**
   * False for an agent that names its process by `instance` while another process is connected under the same id: both
   * would run the same requests. An agent that names none, as Zed, is accepted.
   */
  accepts(agentId: string, instance: string | undefined): boolean;
  /** Ends every connection, and resolves when the store has saved everything. The next host sends what waits there. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a host for transports of your own. `listenHelixZed` and `helixZedHandler` of `./node` create a host and serve
 * it. Throws a `TypeError` for options of the wrong type.
 */
export function createHelixZedHost(options: HelixZedHostOptions = {}): HelixZedHost {
  const context = new HostContext(options);
  const { store, profile } = context;
  const links = new HostLinks(context);
  const host = {
    profile,
    of: (agentId: string) => links.of(agentId),
    find: (agentId: string) => links.find(agentId),
    report: (error: unknown) => context.report(error),
  };
  const agentOf = async (id: string): Promise<string | undefined> => {
    for (const link of links.all) if (link.sessions.get(id)?.saved === true) return link.agentId;
    return (await store.session(id))?.agentId;
  };
  const close = (): Promise<void> => links.close();

  return {
    async session(id, { agent } = {}) {
      if (typeof id !== "string" || id === "")
        throw new WireError("invalid_params", "session: id: expected a string that is not empty");
      const known = await agentOf(id);
      if (known !== undefined && agent !== undefined && agent !== known)
        throw new WireError("invalid_params", `session: agent: the session ${id} belongs to the agent ${known}`);
      const link = links.of(known ?? agent ?? id);
      return new SessionHandle(await link.ask(() => link.requests.view(id)), host);
    },
    async listSessions({ agent } = {}) {
      const all = await store.sessions();
      return agent === undefined ? all : all.filter(({ agentId }) => agentId === agent);
    },
    async listAgents() {
      const stored = (await store.sessions()).map(({ agentId }) => agentId);
      const connected = [...links.all].filter((link) => link.connection !== undefined).map(({ agentId }) => agentId);
      const all = [...new Set([...stored, ...connected])];
      return all.map((agentId) => ({ agentId, connected: connected.includes(agentId) }));
    },
    async deleteSession(id) {
      const link = links.of((await agentOf(id)) ?? id);
      if (link.isClosed) throw hostClosed();
      await link.ask(() => link.requests.delete(id));
    },
    attach: (transport, agentId, { instance } = {}) => links.of(agentId).attach(transport, instance),
    accepts(agentId, instance) {
      const link = links.find(agentId);
      if (link?.connection === undefined || instance === undefined || link.instance === undefined) return true;
      return link.instance === instance;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
