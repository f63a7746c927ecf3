import { detecting } from "@editwire/framing";
import { spawnTransport, type SpawnOptions, stdioTransport } from "@editwire/transport/node";
import { type AcpAgentConnection, type AcpAgentHandlers, type AcpAgentOptions, serveAcpAgent } from "./agent.js";
import { type AcpAgent, type AcpClientOptions, connectAcpAgent } from "./client.js";

/** How an agent command is started and spoken to. */
export interface SpawnAcpAgentOptions extends AcpClientOptions, SpawnOptions {
  /** The framing of what we send (spec 1); what comes is read in either. Default `ndjson`. */
  framing?: "ndjson" | "content-length" | undefined;
}

/**
 * Starts an agent command, given as `[command, ...args]` and run without a shell, and initializes it.
 * Throws `WireError("closed")` with the exit code and the end of its stderr when it dies first.
 */
export async function spawnAcpAgent(argv: readonly string[], options: SpawnAcpAgentOptions = {}): Promise<AcpAgent> {
  return connectAcpAgent(spawnTransport(argv, detecting({ send: options.framing, follow: "none" }), options), options);
}

/** Serves an agent on this process' stdin and stdout, in the framing of the client's first message (spec 1). */
export function serveAcpStdio(agent: AcpAgentHandlers, options: AcpAgentOptions = {}): AcpAgentConnection {
  return serveAcpAgent(stdioTransport(detecting()), agent, options);
}
