import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { checkBinding, requireCredentials, safeListeners, servedHosts, urlBelow, withToken } from "@editwire/session";
import {
  connectWebSocket,
  type DialOptions,
  type ListenOptions,
  listenWebSockets,
  upgradesOf,
  type WebSocketServerOptions,
  webSocketUpgrader,
} from "@editwire/transport/node";
import { checkAgent, createHelixZedAgent, type HelixZedAgentConnection } from "./agent/agent.js";
import type { HelixZedAgent, HelixZedAgentOptions } from "./agent/api.js";
import { createHelixZedHost } from "./host/host.js";
import type { HelixZedHost, HelixZedHostOptions } from "./host/api.js";

/** Where agents dial by default. */
export const syncPath = "/api/v1/external-agents/sync";

/** Agents at a time. */
const maxAgents = 10_000;

/** How a host is served; `token`, `authenticate`, `origins` and `hosts` say to whom. */
export interface HelixZedHandlerOptions
  extends HelixZedHostOptions,
    Omit<WebSocketServerOptions, "refuse" | "opens" | "readBinary"> {
  /** The path at which agents dial. Default `/api/v1/external-agents/sync`. */
  path?: string | undefined;
  /** Agents at a time. Default 10,000; one more is answered 503. */
  maxConnections?: number | undefined;
  /** Milliseconds between pings. Default 54,000. */
  pingMs?: number | undefined;
  /** Milliseconds that an agent has to answer a ping before it is dropped. Default 6,000. */
  pongMs?: number | undefined;
}

/** A host for an HTTP server that exists. */
export interface HelixZedHandler extends HelixZedHost {
  /**
   * The listener for `server.on("upgrade", …)`. Returns false for an upgrade of another path, and leaves its socket
   * alone: another listener, or the caller, has to answer it. A caller that may not connect is refused before the
   * upgrade: 401 without the token or when `authenticate` does not know it, 403 for a foreign `Origin` or `Host`, 400
   * without `session_id`, 409 while another process is connected under that id, 503 above `maxConnections`.
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
}

/** Creates a host that handles the WebSocket upgrades of an existing HTTP server. Default `onError`: stderr. */
export function helixZedHandler(options: HelixZedHandlerOptions = {}): HelixZedHandler {
  checkBinding("helixZedHandler", "helixZedProfiles", options);
  const host = createHelixZedHost(options);
  const { path = syncPath, maxConnections = maxAgents, pingMs = 54_000, pongMs = 6_000 } = options;
  const upgrader = webSocketUpgrader(
    (transport, request) => {
      const { agentId = "", instance } = callerOf(request);
      host.attach(transport, agentId, { instance });
    },
    {
      ...options,
      onDiagnostic: safeListeners(options).onDiagnostic,
      path,
      maxConnections,
      pingMs,
      pongMs,
      readBinary: true,
      refuse(request) {
        const { agentId, instance } = callerOf(request);
        if (agentId === undefined) return "400 Bad Request";
        return host.accepts(agentId, instance) ? undefined : "409 Conflict";
      },
    },
  );
  return upgradesOf(host, upgrader);
}

/** Where a host listens. */
export interface HelixZedListenOptions extends HelixZedHandlerOptions, Omit<ListenOptions, "upgrade"> {}

/** A host that listens. */
export interface HelixZedListener extends HelixZedHost {
  readonly port: number;
  /** Where agents dial, such as `ws://127.0.0.1:8080`; `dialHelixZed` adds the path. */
  readonly url: string;
}

/**
 * Makes a host with an HTTP server of its own, by default for this machine alone. Rejects with a `TypeError` for a
 * `host` that other machines reach without a `token` and without `authenticate`, and with `WireError("not_connected")`
 * where it cannot listen.
 */
export async function listenHelixZed(options: HelixZedListenOptions = {}): Promise<HelixZedListener> {
  checkBinding("listenHelixZed", "helixZedProfiles", options);
  requireCredentials("listenHelixZed", options);
  const handler = helixZedHandler({ ...options, hosts: servedHosts(options) });
  const { maxConnections = maxAgents } = options;
  return listenWebSockets(handler, { ...options, maxConnections });
}

/** How an agent finds its host. */
export interface HelixZedDialOptions
  extends Omit<HelixZedAgentOptions, "dial">,
    Omit<DialOptions, "headers" | "readBinary"> {
  /**
   * The host, such as `ws://127.0.0.1:8080`; `http` and `https` work too. A path of its own is kept in front of `path`,
   * and may end in it.
   */
  url: string | URL;
  /** The path at which the host takes agents. Default `/api/v1/external-agents/sync`. */
  path?: string | undefined;
  /** Sent as `Authorization: Bearer …`. */
  token?: string | undefined;
}

/**
 * Serves an agent to the host at a URL. Dials again, with growing waits, whenever the host is not connected. If the
 * host answers 401 or 403, `onError` receives one error that says what to correct, and the agent does not dial again.
 * Default `onError`: stderr. Throws a `TypeError` for a `url` that is not a ws, wss, http or https URL.
 */
export function dialHelixZed(agent: HelixZedAgent, options: HelixZedDialOptions): HelixZedAgentConnection {
  checkAgent("dialHelixZed", agent, options);
  const target = targetOf(options);
  return createHelixZedAgent(agent, {
    ...options,
    dial: () =>
      connectWebSocket(target, { ...options, headers: withToken({ token: options.token }), readBinary: true }),
  });
}

/** The id under which an agent dials, and the name of its process. Older agents send `agent_id`. */
function callerOf({ url = "/" }: IncomingMessage): { agentId: string | undefined; instance: string | undefined } {
  const query = new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "");
  return {
    agentId: query.get("session_id") || query.get("agent_id") || undefined,
    instance: query.get("instance") || undefined,
  };
}

/**
 * The URL to dial. `instance` lets the host tell this agent's next connection from another process under the same id.
 */
function targetOf({ url, path = syncPath, sessionId }: HelixZedDialOptions): URL {
  const target = urlBelow("dialHelixZed", "ws", url, path);
  target.searchParams.set("session_id", sessionId);
  target.searchParams.set("instance", crypto.randomUUID());
  return target;
}
