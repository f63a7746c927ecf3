import { requireCredentials, servedHosts } from "@editwire/session";
import { type HttpListener, type HttpServer, type ListenOptions, listenServed } from "@editwire/transport/node";
import { checkAgent } from "../agent/agent.js";
import { type AcpAgent } from "../agent/api.js";
import { AgentSessions } from "../agent/sessions.js";
import { type AcpStreamableHttpHandlerOptions, streamableHttp } from "./streamable-http.js";
import { type AcpWebSocketHandler, type AcpWebSocketHandlerOptions, webSocketHandler } from "./web-socket-handler.js";

/** How an agent is served over Streamable HTTP and WebSockets. The options that both have mean both. */
export interface AcpHandlerOptions extends AcpStreamableHttpHandlerOptions, AcpWebSocketHandlerOptions {}

/** An agent for an HTTP server that exists: `fetch` takes its requests, `upgrade` its WebSockets. */
export interface AcpHandler extends HttpServer, AcpWebSocketHandler {}

/**
 * Serves an agent over the remote transports of the official protocol, Streamable HTTP and WebSockets, at one path:
 * `/acp`. Their clients share the agent's sessions. With `authenticate`, sessions belong to their caller: for others
 * they do not exist. Without `onError`, errors that clients do not get go to stderr. Throws a `TypeError` for an agent
 * without `prompt`.
 */
export function acpHandler(agent: AcpAgent, options: AcpHandlerOptions = {}): AcpHandler {
  checkAgent("acpHandler", agent, options);
  const sessions = new AgentSessions(options.maxSessions);
  const overHttp = streamableHttp("acpHandler", agent, options, sessions);
  const overWebSockets = webSocketHandler("acpHandler", agent, options, sessions);
  return {
    fetch: overHttp.fetch,
    upgrade: overWebSockets.upgrade,
    async close() {
      await Promise.all([overHttp.close(), overWebSockets.close()]);
    },
  };
}

/** How an agent listens for both transports. `maxConnections` counts the connections of both. */
export interface AcpRemoteListenOptions extends AcpHandlerOptions, Omit<ListenOptions, "upgrade"> {}

/**
 * Serves an agent over Streamable HTTP and WebSockets, by default to this machine alone, at `http://127.0.0.1`, any
 * free port and the path `/acp`. Clients must address it by `host`, or by a loopback name, unless `hosts` names others.
 * Without `onError`, errors that clients do not get go to stderr. Throws a `TypeError` for a `host` that other machines
 * reach without a `token` and without `authenticate`: a client that can prompt the agent can do what it can.
 */
export async function listenAcp(agent: AcpAgent, options: AcpRemoteListenOptions = {}): Promise<HttpListener> {
  checkAgent("listenAcp", agent, options);
  requireCredentials("listenAcp", options);
  return listenServed(acpHandler(agent, { ...options, hosts: servedHosts(options) }), options);
}
