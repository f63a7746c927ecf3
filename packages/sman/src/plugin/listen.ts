import { checkText, requireCredentials, safeListeners, servedHosts, urlBelow, withToken } from "@editwire/session";
import {
  connectWebSocket,
  type DialOptions,
  type HttpListener,
  type ListenOptions,
  listenWebSockets,
  upgradesOf,
  type WebSocketServerOptions,
  webSocketUpgrader,
} from "@editwire/transport/node";
import type { SmanSite } from "../backend/api.js";
import { createSmanPlugin } from "./plugin.js";
import type { SmanPluginConnection, SmanPlugin, SmanPluginOptions, SmanToolOptions } from "./api.js";
import { checkPlugin, pluginServer } from "./server.js";
import { otherProject, queryOf, refusalOf } from "../shared/query.js";
import { chatPath, maxMessageBytes, type PluginConnection } from "../shared/peer.js";

/** How a plugin finds its backend. */
export interface SmanDialOptions
  extends Omit<SmanPluginOptions, "dial">,
    Omit<DialOptions, "headers" | "readBinary">,
    SmanSite {
  /**
   * The backend, such as `ws://127.0.0.1:8080`; `http` and `https` work too. A path of its own is kept in front of
   * `path`, and may end in it.
   */
  url: string | URL;
  /** The path at which the backend takes plugins. Default `/ws/agent/chat`. */
  path?: string | undefined;
  /** Sent as `Authorization: Bearer …`. */
  token?: string | undefined;
  /** Bytes of one message. Default 10 MiB. */
  maxMessageBytes?: number | undefined;
  /** The project whose calls the plugin executes; a call of another project fails. */
  projectKey: string;
}

/**
 * Serves the tools of an IDE to the backend at a URL. It dials again, with growing waits, whenever the backend is not
 * connected. A backend that refuses it with 401, 403 or the close code 1003 ends this: `onError` gets one error that
 * says what to correct. Default `onError`: stderr. Throws a `TypeError` for another value of `url`, and for an empty
 * `sessionId`.
 */
export function dialSman(plugin: SmanPlugin, options: SmanDialOptions): SmanPluginConnection {
  checkPlugin("dialSman", plugin, options);
  checkText("dialSman", "sessionId", options.sessionId);
  const target = targetOf(options);
  const headers = withToken({ token: options.token });
  const limits = { maxMessageBytes: options.maxMessageBytes ?? maxMessageBytes };
  return createSmanPlugin(plugin, {
    ...options,
    dial: () => connectWebSocket(target, { ...options, ...limits, headers }),
  });
}

function targetOf({ url, path = chatPath, sessionId, projectKey, projectPath, mode }: SmanDialOptions): URL {
  const target = urlBelow("dialSman", "ws", url, path);
  for (const [name, value] of Object.entries({ sessionId, projectKey, projectPath, mode }))
    if (value !== undefined) target.searchParams.set(name, value);
  return target;
}

/** How a plugin listens; `token`, `authenticate`, `origins` and `hosts` say to whom. */
export interface SmanPluginListenOptions
  extends SmanToolOptions,
    Omit<ListenOptions, "upgrade">,
    Omit<WebSocketServerOptions, "refuse" | "refuseOpen" | "opens" | "readBinary"> {
  /** The path at which backends dial. Default `/ws/agent/chat`. */
  path?: string | undefined;
  /** Bytes of one message. Default 10 MiB. */
  maxMessageBytes?: number | undefined;
}

/** A plugin that listens. Backends dial its `url`, such as `ws://127.0.0.1:8080`, with the path. */
export interface SmanPluginListener extends HttpListener {
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves the tools of an IDE to clients that dial, for the specification's manual test: a plain WebSocket client types
 * a `TOOL_CALL` and reads its `TOOL_RESULT`. By default for this machine alone. Default `onError`: stderr. Rejects with
 * a `TypeError` as `createSmanPlugin` does, and for a `host` that other machines reach without a `token` and without
 * `authenticate`.
 */
export async function listenSmanPlugin(
  plugin: SmanPlugin,
  options: SmanPluginListenOptions,
): Promise<SmanPluginListener> {
  const server = pluginServer("listenSmanPlugin", plugin, options);
  requireCredentials("listenSmanPlugin", options);
  const { path = chatPath, projectKey } = options;
  const connections = new Set<PluginConnection>();
  const serve = (transport: Parameters<typeof server.serve>[0]): void => {
    const connection = server.serve(transport);
    connections.add(connection);
    void connection.closed.then(() => connections.delete(connection));
  };
  const upgrader = webSocketUpgrader(serve, {
    ...options,
    onDiagnostic: safeListeners(options).onDiagnostic,
    path,
    hosts: servedHosts(options),
    maxMessageBytes: options.maxMessageBytes ?? maxMessageBytes,
    refuseOpen(request) {
      const query = queryOf(request);
      return refusalOf(query, false) ?? (query.projectKey === projectKey ? undefined : otherProject);
    },
  });
  const close = async (): Promise<void> => {
    await Promise.all([...connections].map((connection) => connection.close()));
  };
  return listenWebSockets(upgradesOf({ close }, upgrader), options);
}
