import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import {
  connectWebSocket,
  type DialOptions,
  type WebSocketServerOptions,
  webSocketUpgrader,
} from "@editwire/transport/ws";
import { createZedAgent, type ZedAgent } from "./agent.js";
import type { ZedAgentHandlers, ZedAgentOptions } from "./agent-options.js";
import { createHelixHost, type HelixHost } from "./host.js";
import type { HelixHostOptions } from "./host-options.js";

/** Where agents dial. */
export const syncPath = "/api/v1/external-agents/sync";

/** How a host is served; `token`, `origins` and `hosts` say to whom. */
export interface HelixServerOptions
  extends HelixHostOptions,
    Omit<WebSocketServerOptions, "path" | "refuse" | "readBinary"> {
  /** Agents at a time. Default 10,000; one more is answered 503. */
  maxConnections?: number | undefined;
  /** Milliseconds between pings. Default 54,000. */
  pingMs?: number | undefined;
  /** Milliseconds that an agent has to answer a ping before it is dropped. Default 6,000, which makes a minute since the last one. */
  pongMs?: number | undefined;
}

/** A host behind an HTTP server. */
export interface HelixServer extends HelixHost {
  /** True for an upgrade that is meant for this host; others on the same server have handlers of their own. */
  serves(request: IncomingMessage): boolean;
  /**
   * The listener for `server.on("upgrade", …)`. Whoever may not connect is turned away before the upgrade: 401 without the token,
   * 403 for a foreign `Origin` or `Host`, 404 for another path, 400 without `session_id`.
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Makes a host that takes the WebSocket upgrades of an existing HTTP server. Without `onError`, what no caller is told goes to stderr. */
export function helixServer(options: HelixServerOptions = {}): HelixServer {
  const host = createHelixHost({ ...options, onError: options.onError ?? toStderr });
  const limits = { maxConnections: 10_000, pingMs: 54_000, pongMs: 6_000 };
  const upgrader = webSocketUpgrader((transport, request) => host.attach(transport, agentIdOf(request) ?? ""), {
    ...limits,
    ...definedOnly(options),
    path: syncPath,
    readBinary: true,
    refuse: (request) => (agentIdOf(request) === undefined ? "400 Bad Request" : undefined),
  });
  const close = async (): Promise<void> => {
    await host.close();
    await upgrader.close();
  };
  return {
    ...host,
    serves: ({ url = "/" }) => url.split("?", 1)[0] === syncPath,
    upgrade: (request, socket, head) => upgrader.upgrade(request, socket, head),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** How an agent finds its host. */
export interface ZedDialOptions extends Omit<ZedAgentOptions, "dial">, Omit<DialOptions, "headers" | "readBinary"> {
  /** The host, such as `ws://127.0.0.1:8080`; `http` and `https` work too. A path of its own is kept in front of the protocol's. */
  url: string | URL;
  /** Sent as `Authorization: Bearer …`. */
  token?: string | undefined;
}

/**
 * Serves an agent to the host at a URL; it dials again, with growing waits, whenever the host is not there: `onConnection` hears why.
 * Without `onError`, what the host is not told goes to stderr. Throws a `TypeError` for a `url` that is none.
 */
export function zedAgent(handlers: ZedAgentHandlers, options: ZedDialOptions): ZedAgent {
  const target = targetOf(options.url, options.sessionId);
  const headers = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` };
  return createZedAgent(handlers, {
    ...options,
    onError: options.onError ?? toStderr,
    dial: () => connectWebSocket(target, { ...options, headers, readBinary: true }),
  });
}

/** The id that the agent dialled with; older ones call it `agent_id`. */
function agentIdOf({ url = "/" }: IncomingMessage): string | undefined {
  const query = new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "");
  return query.get("session_id") || query.get("agent_id") || undefined;
}

function targetOf(url: string | URL, sessionId: string): URL {
  if (!/^(ws|http)s?:/.test(String(url)) || !URL.canParse(String(url)))
    throw new TypeError(`zedAgent: url: expected one such as ws://127.0.0.1:8080, received ${String(url)}`);
  const target = new URL(url);
  target.protocol = target.protocol.replace(/^http/, "ws");
  target.pathname = `${target.pathname.replace(/\/$/, "")}${syncPath}`;
  target.searchParams.set("session_id", sessionId);
  return target;
}

/** An option given as undefined stands for its default. */
function definedOnly<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}

const toStderr = (error: unknown, method: string | undefined): void =>
  console.error(`${method ?? "connection"}:`, error);
