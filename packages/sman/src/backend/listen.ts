import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Diagnostic } from "@editwire/core";
import { checkBinding, requireCredentials, safeListeners, servedHosts, toStderr } from "@editwire/session";
import type { Transport } from "@editwire/transport";
import {
  type ListenOptions,
  listenWebSockets,
  upgradesOf,
  type WebSocketServerOptions,
  webSocketUpgrader,
} from "@editwire/transport/node";
import { createSmanBackend } from "./backend.js";
import type { SmanBackend, SmanBackendOptions, SmanSite } from "./api.js";
import { queryOf, refusalOf } from "../shared/query.js";
import { chatPath, maxMessageBytes } from "../shared/peer.js";

/** How a backend is served; `token`, `authenticate`, `origins` and `hosts` say to whom. */
export interface SmanHandlerOptions
  extends SmanBackendOptions,
    Omit<WebSocketServerOptions, "refuse" | "refuseOpen" | "opens" | "readBinary"> {
  /** The path at which plugins dial. Default `/ws/agent/chat`. */
  path?: string | undefined;
  /** Bytes of one message. Default 10 MiB; a larger one closes the connection with 1009. */
  maxMessageBytes?: number | undefined;
  /** Milliseconds between pings. Default 150,000; a plugin that answers none until the next one is dropped. */
  pingMs?: number | undefined;
  /** Refuses a `sessionId` that is not a UUID, as sman's own server does. Default false. */
  requireUuidSessionId?: boolean | undefined;
}

/** A backend for an HTTP server that exists. */
export interface SmanHandler extends SmanBackend {
  /**
   * The listener for `server.on("upgrade", …)`. Returns false for an upgrade of another path, and leaves its socket
   * alone: another listener, or the caller, has to answer it. A caller that may not connect is refused before the
   * upgrade: 401 without the token or when `authenticate` does not know it, 403 for a foreign `Origin` or `Host`, 503
   * above `maxConnections`. Without `sessionId` or `projectKey` the connection is closed with 1003.
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
}

/**
 * Creates a backend that handles the WebSocket upgrades of an existing HTTP server. Default `onError`: stderr. Default
 * `onDiagnostic`: reports results that no call waits for on stderr.
 */
export function smanHandler(options: SmanHandlerOptions = {}): SmanHandler {
  checkBinding("smanHandler", "smanProfiles", options);
  const { path = chatPath, requireUuidSessionId = false } = options;
  const { onDiagnostic = strayToStderr() } = options;
  const backend = createSmanBackend({ ...options, onDiagnostic });
  const serve = (transport: Transport, request: IncomingMessage, caller: string | undefined): void =>
    void backend.attach(transport, { ...queryOf(request), caller } as SmanSite);
  const upgrader = webSocketUpgrader(serve, {
    ...options,
    onDiagnostic: safeListeners(options).onDiagnostic,
    path,
    maxMessageBytes: options.maxMessageBytes ?? maxMessageBytes,
    pingMs: options.pingMs ?? 150_000,
    refuseOpen: (request) => refusalOf(queryOf(request), requireUuidSessionId),
  });
  return upgradesOf(backend, upgrader);
}

/** Where a backend listens. */
export interface SmanListenOptions extends SmanHandlerOptions, Omit<ListenOptions, "upgrade"> {}

/** A backend that listens. */
export interface SmanListener extends SmanBackend {
  readonly port: number;
  /** Where plugins dial, such as `ws://127.0.0.1:8080`; `dialSman` adds the path. */
  readonly url: string;
}

/**
 * Makes a backend with an HTTP server of its own, by default for this machine alone. Rejects with a `TypeError` for a
 * `host` that other machines reach without a `token` and without `authenticate`, and with `WireError("not_connected")`
 * where it cannot listen.
 */
export async function listenSman(options: SmanListenOptions = {}): Promise<SmanListener> {
  checkBinding("listenSman", "smanProfiles", options);
  requireCredentials("listenSman", options);
  return listenWebSockets(smanHandler({ ...options, hosts: servedHosts(options) }), options);
}

/** Writes the reports of results that no call waits for. */
function strayToStderr(): (diagnostic: Diagnostic) => void {
  const write = toStderr({ write: (_method, message) => console.error(message) });
  return ({ id, method, message }) => {
    if (id === "tagged.unknown-reply" || id === "tagged.late-reply") write(message, method);
  };
}
