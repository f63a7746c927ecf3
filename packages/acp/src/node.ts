import { detecting } from "@editwire/framing";
import { toStderr } from "@editwire/session";
import {
  type HttpListener,
  listenHttp,
  type ListenOptions,
  spawnTransport,
  type SpawnOptions,
  stdioTransport,
} from "@editwire/transport/node";
import { type AcpAgent, type AcpAgentConnection, type AcpAgentOptions, checkAgent, serveAcp } from "./agent.js";
import { acpHttpHandler, type AcpHttpHandlerOptions } from "./http.js";
import { requireCredentials, servedHosts } from "./node-reach.js";
import { type AcpClient, type AcpClientOptions, connectAcp } from "./client.js";

export { nodeListener } from "@editwire/transport/node";
export {
  acpWebSocketHandler,
  type AcpNodeWebSocketClientOptions,
  type AcpWebSocketHandler,
  type AcpWebSocketHandlerOptions,
  type AcpWebSocketListenOptions,
  dialAcpNodeWebSocket,
  listenAcpWebSocket,
} from "./node-web-socket.js";

/** How an agent command is started and used. */
export interface SpawnAcpOptions extends AcpClientOptions, SpawnOptions {
  /** The framing of what this side sends (spec 1); either is read. Default `ndjson`. */
  framing?: "ndjson" | "content-length" | undefined;
}

/**
 * Starts an agent command, given as `[command, ...args]`, and initializes it. No shell is used, except on Windows for
 * `.cmd` files, with every argument escaped. Without `onError`,
 * errors go to stderr. Throws `WireError("closed")` with the exit code and the end of its stderr when it exits first.
 */
export async function spawnAcp(argv: readonly string[], options: SpawnAcpOptions = {}): Promise<AcpClient> {
  const transport = spawnTransport(argv, detecting({ send: options.framing, follow: "none" }), options);
  return connectAcp(transport, { ...options, onError: options.onError ?? toStderr() });
}

/**
 * Serves an agent on the stdin and stdout of this process, in the framing of the client's first message (spec 1). Without
 * `onError`, errors that the client does not get go to stderr. Throws a `TypeError` for an agent without `prompt`.
 */
export function serveAcpStdio(agent: AcpAgent, options: AcpAgentOptions = {}): AcpAgentConnection {
  checkAgent("serveAcpStdio", agent);
  return serveAcp(stdioTransport(detecting()), agent, { ...options, onError: options.onError ?? toStderr() });
}

/** How an agent listens. */
export interface AcpListenOptions extends AcpHttpHandlerOptions, Omit<ListenOptions, "upgrade"> {}

/**
 * Serves an agent over HTTP and server-sent events (spec 1), by default to this machine alone, at `http://127.0.0.1` and any free
 * port. Callers must address it by `host`, or by a loopback name, unless `hosts` names others. Without `onError`, errors that
 * clients do not get go to stderr. Throws a `TypeError` for a `host` that other machines reach without a `token` and without
 * `authenticate`: a caller that can prompt the agent can do what it can.
 */
export async function listenAcpHttp(agent: AcpAgent, options: AcpListenOptions = {}): Promise<HttpListener> {
  requireCredentials("listenAcpHttp", options);
  const onError = options.onError ?? toStderr();
  const server = acpHttpHandler(agent, { ...options, hosts: servedHosts(options), onError });
  const listener = await listenHttp((request) => server.fetch(request), options);
  return {
    ...listener,
    async close() {
      await server.close();
      await listener.close();
    },
  };
}
