import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { requireCredentials, servedHosts, toStderr } from "@editwire/session";
import { type HttpListener, listenHttp, type ListenOptions } from "@editwire/transport/node";
import {
  connectWebSocket,
  type DialOptions,
  type WebSocketServerOptions,
  webSocketUpgrader,
} from "@editwire/transport/ws";
import { type AcpAgent, type AcpAgentConnection, type AcpAgentOptions, checkAgent, serveShared } from "./agent.js";
import { AgentSessions } from "./agent-sessions.js";
import { AcpDialect } from "./dialect.js";
import { type AcpClient, connectAcp } from "./client.js";
import type { AcpClientOptions } from "./client-options.js";
import { type WebSocketAddress, webSocketPath, webSocketUrl } from "./web-socket-url.js";

/** How an agent is served over WebSockets; `hosts`, `origins`, `token` and `authenticate` say to whom. */
export interface AcpWebSocketHandlerOptions extends AcpAgentOptions, Omit<WebSocketServerOptions, "refuse"> {
  /** The path at which clients dial. Default `/acp`. */
  path?: string | undefined;
}

/** An agent for an HTTP server that exists. */
export interface AcpWebSocketHandler {
  /**
   * The listener for `server.on("upgrade", …)`. Returns false for an upgrade of another path, and leaves its socket
   * alone: another listener, or the caller, has to answer it. A client that may not connect is refused before the
   * upgrade: 401 without credentials, 403 for a foreign `Origin` or `Host`, 503 above `maxConnections`.
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Closes every connection; running turns are cancelled. */
  close(): Promise<void>;
}

/**
 * Serves an agent to the WebSocket upgrades of an existing HTTP server. The clients share the agent's sessions, as over
 * HTTP: updates and permission requests go to the client that created or last loaded a session. With `authenticate`,
 * sessions belong to their caller: for others they do not exist. Without `onError`, errors that clients do not get go
 * to stderr. Throws a `TypeError` for an agent without `prompt`.
 */
export function acpWebSocketHandler(agent: AcpAgent, options: AcpWebSocketHandlerOptions = {}): AcpWebSocketHandler {
  const name = "acpWebSocketHandler";
  checkAgent(name, agent);
  const { path = webSocketPath } = options;
  const own = { ...options, onError: options.onError ?? toStderr() };
  const sessions = new AgentSessions(options.maxSessions);
  const connections = new Set<AcpAgentConnection>();
  const upgrader = webSocketUpgrader(
    (transport, _request, caller) => {
      const connection = serveShared(name, transport, agent, own, {
        sessions,
        caller,
        dialect: new AcpDialect("agent"),
      });
      connections.add(connection);
      void connection.closed.then(() => connections.delete(connection));
    },
    { ...options, path },
  );
  return {
    upgrade(request, socket, head) {
      if (request.url?.split("?", 1)[0] !== path) return false;
      upgrader.upgrade(request, socket, head);
      return true;
    },
    async close() {
      await Promise.all(Array.from(connections, (connection) => connection.close()));
      await upgrader.close();
    },
  };
}

/** How an agent listens for WebSockets. `maxConnections` counts the upgraded ones. */
export interface AcpWebSocketListenOptions extends AcpWebSocketHandlerOptions, Omit<ListenOptions, "upgrade"> {}

/** Connections beyond `maxConnections` that get an answer, such as 503. */
const spareConnections = 128;

/**
 * Serves an agent over WebSockets, by default to this machine alone, at `ws://127.0.0.1`, any free port and the path
 * `/acp`. Clients must address it by `host`, or by a loopback name, unless `hosts` names others. Without `onError`,
 * errors that clients do not get go to stderr. Throws a `TypeError` for a `host` that other machines reach without a
 * `token` and without `authenticate`: a client that can prompt the agent can do what it can.
 */
export async function listenAcpWebSocket(
  agent: AcpAgent,
  options: AcpWebSocketListenOptions = {},
): Promise<HttpListener> {
  requireCredentials("listenAcpWebSocket", options);
  const handler = acpWebSocketHandler(agent, { ...options, hosts: servedHosts(options) });
  const listener = await listenHttp(() => new Response(null, { status: 404 }), {
    ...options,
    maxConnections: (options.maxConnections ?? 1024) + spareConnections,
    upgrade: (...upgrade) => handler.upgrade(...upgrade),
  });
  return {
    port: listener.port,
    url: listener.url.replace(/^http/, "ws"),
    async close() {
      await handler.close();
      await listener.close();
    },
  };
}

/** How an agent is reached over a WebSocket from Node. */
export interface AcpNodeWebSocketClientOptions
  extends AcpClientOptions,
    WebSocketAddress,
    Omit<DialOptions, "timeoutMs"> {
  /** Sent as `Authorization: Bearer …`. */
  token?: string | undefined;
  /** Milliseconds until the dial fails. Default 10,000. */
  dialTimeoutMs?: number | undefined;
}

/**
 * As `dialAcpWebSocket` of `@editwire/acp`, with the WebSocket of the package `ws`: in every version of Node, with
 * `headers`, pings, and a socket that is paused while handlers are busy. Without `onError`, errors go to stderr.
 */
export async function dialAcpNodeWebSocket(
  baseUrl: string | URL,
  options: AcpNodeWebSocketClientOptions = {},
): Promise<AcpClient> {
  const { token, dialTimeoutMs: timeoutMs, onError = toStderr() } = options;
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { ...options.headers, ...authorization };
  const url = webSocketUrl("dialAcpNodeWebSocket", baseUrl, options);
  const transport = await connectWebSocket(url, { ...options, headers, timeoutMs });
  return connectAcp(transport, { ...options, onError });
}
