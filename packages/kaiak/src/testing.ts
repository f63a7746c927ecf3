import { memoryPair } from "@editwire/transport";
import { connectKaiak } from "./client/client.js";
import type { KaiakClient, KaiakClientOptions } from "./client/api.js";
import { serveKaiak } from "./server/server.js";
import type { KaiakServer, KaiakServerConnection, KaiakServerOptions } from "./server/api.js";

/** A client and a server in one process. */
export interface KaiakPair {
  readonly client: KaiakClient;
  readonly server: KaiakServerConnection;
}

/** Connects a client to a server in memory, for tests. Both get what goes over a wire: copies, validated both ways. */
export async function kaiakPair(
  server: KaiakServer,
  options: { client?: KaiakClientOptions | undefined; server?: KaiakServerOptions | undefined } = {},
): Promise<KaiakPair> {
  const [here, there] = memoryPair();
  const serving = serveKaiak(there, server, options.server);
  return { client: await connectKaiak(here, options.client), server: serving };
}
