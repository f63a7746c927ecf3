import { memoryPair } from "@editwire/transport";
import { serveAcp } from "./agent/agent.js";
import type { AcpAgent, AcpAgentConnection, AcpAgentOptions } from "./agent/api.js";
import { connectAcp } from "./client/client.js";
import type { AcpClient, AcpClientOptions } from "./client/api.js";

/** A client and an agent in one process. */
export interface AcpPair {
  readonly client: AcpClient;
  readonly agent: AcpAgentConnection;
}

/** Connects a client to an agent in memory, for tests. Both get what goes over a wire: copies, validated both ways. */
export async function acpPair(
  agent: AcpAgent,
  options: { client?: AcpClientOptions | undefined; agent?: AcpAgentOptions | undefined } = {},
): Promise<AcpPair> {
  const [here, there] = memoryPair();
  const serving = serveAcp(there, agent, options.agent);
  return { client: await connectAcp(here, options.client), agent: serving };
}
