import { memoryPair } from "@editwire/transport";
import { createHelixZedAgent, type HelixZedAgentConnection } from "./agent/agent.js";
import type { HelixZedAgent, HelixZedAgentOptions } from "./agent/api.js";
import { createHelixZedHost } from "./host/host.js";
import type { HelixZedHost, HelixZedHostOptions } from "./host/api.js";

/** How the two sides of a pair work. */
export interface HelixZedPairOptions {
  /** Options of the host. */
  readonly host?: HelixZedHostOptions | undefined;
  /** Options of the agent. `sessionId` is `ses_1` by default. */
  readonly agent?: Partial<Omit<HelixZedAgentOptions, "dial">> | undefined;
}

/** A host and an agent that are connected. */
export interface HelixZedPair {
  readonly host: HelixZedHost;
  readonly agent: HelixZedAgentConnection;
  /** Closes both. */
  close(): Promise<void>;
}

/** Connects a host and an agent in memory, for tests of applications: no socket, no process. */
export function helixZedPair(agent: HelixZedAgent, options: HelixZedPairOptions = {}): HelixZedPair {
  const { sessionId = "ses_1" } = options.agent ?? {};
  const host = createHelixZedHost(options.host);
  const connection = createHelixZedAgent(agent, {
    ...options.agent,
    sessionId,
    dial() {
      const [there, here] = memoryPair();
      host.attach(there, sessionId);
      return Promise.resolve(here);
    },
  });
  return {
    host,
    agent: connection,
    async close() {
      await connection.close();
      await host.close();
    },
  };
}
