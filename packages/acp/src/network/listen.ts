import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { requireCredentials, servedHosts } from "@editwire/session";
import { type HttpListener, type HttpServer, listenServed } from "@editwire/transport/node";
import { checkAgent } from "../agent/agent.js";
import type { AcpAgent } from "../agent/api.js";
import { AgentSessions } from "../agent/sessions.js";
import type { AcpHandlerOptions, AcpListenOptions } from "./options.js";
import { checkAddress } from "./paths.js";
import { specHttp } from "./spec-http.js";
import { streamableHttp } from "./streamable-http.js";
import { webSockets } from "./web-sockets.js";

/** An agent for an HTTP server that exists. */
export interface AcpHandler extends HttpServer {
  /**
   * The listener for `server.on("upgrade", …)`. Returns false for an upgrade of another path, and for every one with
   * `paths: "spec"`, and leaves its socket alone: another listener, or the caller, must answer it. A client that may
   * not connect is refused before the upgrade: 401 without credentials, 403 for a foreign `Origin` or `Host`, 503 above
   * `maxConnections`. A client keeps its slot from its `initialize` on: before that, another client may take it.
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
}

/**
 * Serves an agent in an HTTP server that exists, over the remote transports of the official protocol, Streamable HTTP
 * and WebSockets, at one path: `/acp`. With `paths: "spec"`, over the HTTP of the specification. The clients share the
 * agent's sessions: updates and permission requests go to the client that created or last loaded a session, an answer
 * goes to the client that asked. A client that closes, or is away for `idleMs`, has its turns cancelled; its sessions
 * can be loaded again. With `authenticate`, sessions belong to their caller: for others they do not exist. Without
 * `onError`, errors that clients do not get go to stderr. Throws a `TypeError` for an agent without `prompt`.
 */
export function acpHandler(agent: AcpAgent, options: AcpHandlerOptions = {}): AcpHandler {
  return handlerOf("acpHandler", agent, options);
}

/**
 * Serves an agent over Streamable HTTP and WebSockets, by default to this machine alone, at `http://127.0.0.1`, any
 * free port and the path `/acp`; with `paths: "spec"`, over the HTTP of the specification. Clients must address it by
 * `host`, or by a loopback name, unless `hosts` names others. They share the agent's sessions, as those of
 * `acpHandler`. Without `onError`, errors that clients do not get go to stderr. Throws a `TypeError` for a `host` that
 * other machines reach without a `token` and without `authenticate`: a client that can prompt the agent can do what it
 * can.
 */
export async function listenAcp(agent: AcpAgent, options: AcpListenOptions = {}): Promise<HttpListener> {
  checkAgent("listenAcp", agent, options);
  requireCredentials("listenAcp", options);
  const { upgrade, ...overHttp } = handlerOf("listenAcp", agent, { ...options, hosts: servedHosts(options) });
  return listenServed(options.paths === "spec" ? overHttp : { ...overHttp, upgrade }, options);
}

function handlerOf(name: string, agent: AcpAgent, options: AcpHandlerOptions): AcpHandler {
  checkAgent(name, agent, options);
  checkAddress(name, options);
  const sessions = new AgentSessions(options.maxSessions);
  const isSpec = options.paths === "spec";
  const overHttp = (isSpec ? specHttp : streamableHttp)(name, agent, options, sessions);
  const overWebSockets = isSpec ? undefined : webSockets(name, agent, options, sessions);
  return {
    fetch: overHttp.fetch,
    upgrade: overWebSockets?.upgrade ?? (() => false),
    async close() {
      await Promise.all([overHttp.close(), overWebSockets?.close()]);
      sessions.clear();
    },
  };
}
