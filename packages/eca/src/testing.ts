import { memoryPair } from "@editwire/transport";
import { connectEca } from "./client/client.js";
import type { EcaClient, EcaClientOptions } from "./client/api.js";
import { serveEca } from "./server/server.js";
import type { EcaServer, EcaServerConnection, EcaServerOptions } from "./server/api.js";

/** A client and a server in one process. */
export interface EcaPair {
  readonly client: EcaClient;
  readonly server: EcaServerConnection;
}

/** Connects a client to a server in memory, for tests. Both get what goes over a wire: copies, validated both ways. */
export async function ecaPair(
  server: EcaServer,
  options: { client?: EcaClientOptions | undefined; server?: EcaServerOptions | undefined } = {},
): Promise<EcaPair> {
  const [here, there] = memoryPair();
  const serving = serveEca(there, server, options.server);
  return { client: await connectEca(here, options.client), server: serving };
}
