/// <reference lib="esnext.disposable" preserve="true" />
import { WireError } from "@editwire/core";
import { HostContext } from "./context.js";
import { HostLinks } from "./links.js";
import type { HelixZedHost, HelixZedHostOptions } from "./api.js";
import { SessionHandle } from "./session.js";
import { hostClosed } from "./interaction.js";

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
