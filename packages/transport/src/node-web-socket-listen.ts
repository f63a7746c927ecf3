import { type HttpListener, listenServed, type ListenOptions, type Served } from "./node-http.js";

/** Connections beyond `maxConnections` that get an answer, such as 503. */
const spareConnections = 128;

/**
 * As `listenServed`, for what takes WebSockets only; `url` is then such as `ws://127.0.0.1:41234`. `maxConnections`
 * counts the upgraded connections.
 */
export async function listenWebSockets(
  served: Required<Pick<Served, "upgrade" | "close">>,
  options: Omit<ListenOptions, "upgrade"> = {},
): Promise<HttpListener> {
  const maxConnections = (options.maxConnections ?? 1_024) + spareConnections;
  const listener = await listenServed({ upgrade: served.upgrade, close: served.close }, { ...options, maxConnections });
  return { ...listener, url: listener.url.replace(/^http/, "ws") };
}
