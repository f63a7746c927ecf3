import { detecting } from "@editwire/framing";
import {
  type HttpListener,
  listenHttp,
  type ListenOptions,
  spawnTransport,
  type SpawnOptions,
  stdioTransport,
} from "@editwire/transport/node";
import { type AcpAgentConnection, type AcpAgentHandlers, type AcpAgentOptions, serveAcpAgent } from "./agent.js";
import { type AcpAgent, type AcpClientOptions, connectAcpAgent } from "./client.js";
import { acpHttpServer, type AcpHttpServerOptions } from "./http.js";

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

/**
 * Serves an agent on this process' stdin and stdout, in the framing of the client's first message (spec 1). Without `onError`,
 * what the client is not told goes to stderr.
 */
export function serveAcpStdio(agent: AcpAgentHandlers, options: AcpAgentOptions = {}): AcpAgentConnection {
  return serveAcpAgent(stdioTransport(detecting()), agent, { ...options, onError: options.onError ?? toStderr });
}

const toStderr = (error: unknown, method: string | undefined): void =>
  console.error(`${method ?? "connection"}:`, error);

/** How an agent listens. */
export interface AcpListenOptions extends AcpHttpServerOptions, ListenOptions {}

const loopback = ["127.0.0.1", "localhost", "::1"];

/**
 * Serves an agent over HTTP and server-sent events (spec 1), by default to this machine alone, at `http://127.0.0.1` and any free
 * port. Callers have to address it by `host`, or by a loopback name, unless `hosts` names others. Without `onError`, what clients
 * are not told goes to stderr. Throws a `TypeError` for a `host` that other machines reach without a `token`: who can prompt the
 * agent can do what it can.
 */
export async function listenAcpHttp(agent: AcpAgentHandlers, options: AcpListenOptions = {}): Promise<HttpListener> {
  const { host = "127.0.0.1", token } = options;
  if (!loopback.includes(host) && token === undefined)
    throw new TypeError(`expected a token: other machines can reach ${host}`);
  const hosts = options.hosts ?? [...loopback, host].map((name) => (name.includes(":") ? `[${name}]` : name));
  const server = acpHttpServer(agent, { ...options, hosts, onError: options.onError ?? toStderr });
  const listener = await listenHttp((request) => server.fetch(request), { ...options, host });
  return {
    ...listener,
    async close() {
      await server.close();
      await listener.close();
    },
  };
}
