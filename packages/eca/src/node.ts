import type { Peer } from "@editwire/core";
import { spawnTransport, type SpawnOptions } from "@editwire/transport/node";
import { ecaFraming, ecaPeer } from "./wire.js";

/** Starts a server command, given as `[command, ...args]` and run without a shell, and speaks this protocol's JSON-RPC with it. */
export function spawnEcaPeer(argv: readonly string[], options: SpawnOptions = {}): Peer {
  return ecaPeer(spawnTransport(argv, ecaFraming(), options));
}

export { type EcaStdioOptions, serveEcaStdio } from "./server-stdio.js";
