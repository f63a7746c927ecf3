import { requireCredentials, servedHosts, urlBelow, withToken } from "@editwire/session";
import {
  connectWebSocket,
  type DialOptions,
  type HttpListener,
  type ListenOptions,
  listenWebSockets,
} from "@editwire/transport/node";
import { checkAgent } from "./agent/agent.js";
import { type AcpAgent } from "./agent/api.js";
import { type AcpClient, checkClientOptions, connectIn } from "./client/client.js";
import type { AcpClientOptions } from "./client/options.js";
import { AcpDialect } from "./shared/dialect.js";
import { acpWebSocketHandler, type AcpWebSocketHandlerOptions } from "./network/web-socket-handler.js";
import { type RemoteAddress, remotePath } from "./network/paths.js";

export {
  type AcpHandler,
  acpHandler,
  type AcpHandlerOptions,
  type AcpRemoteListenOptions,
  listenAcp,
} from "./network/listen.js";
export {
  type AcpWebSocketHandler,
  acpWebSocketHandler,
  type AcpWebSocketHandlerOptions,
} from "./network/web-socket-handler.js";

/** How an agent listens for WebSockets. `maxConnections` counts the upgraded ones. */
export interface AcpWebSocketListenOptions extends AcpWebSocketHandlerOptions, Omit<ListenOptions, "upgrade"> {}

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
  checkAgent("listenAcpWebSocket", agent, options);
  requireCredentials("listenAcpWebSocket", options);
  const handler = acpWebSocketHandler(agent, { ...options, hosts: servedHosts(options) });
  return listenWebSockets(handler, options);
}

/** How an agent is reached over a WebSocket from Node. */
export interface AcpNodeWebSocketClientOptions extends AcpClientOptions, RemoteAddress, Omit<DialOptions, "timeoutMs"> {
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
  const name = "dialAcpNodeWebSocket";
  checkClientOptions(name, options);
  const { path = remotePath, dialTimeoutMs: timeoutMs } = options;
  const url = urlBelow(name, "ws", baseUrl, path);
  const transport = await connectWebSocket(url, {
    readBinary: "if-first",
    ...options,
    headers: withToken(options),
    timeoutMs,
  });
  return connectIn(name, transport, options, new AcpDialect("client"));
}
