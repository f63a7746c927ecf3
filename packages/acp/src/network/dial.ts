import { urlBelow, withToken } from "@editwire/session";
import {
  connectGlobalWebSocket,
  type HttpClientOptions,
  httpClientTransport,
  httpStreamsClientTransport,
  type Transport,
  type WebSocketDialOptions,
} from "@editwire/transport";
import { checkClientOptions, connectIn } from "../client/client.js";
import type { AcpClient, AcpClientOptions } from "../client/api.js";
import { AcpDialect } from "../shared/dialect.js";
import { ClientRoutes } from "./client-routes.js";
import { mayArriveTwice, refusedAnswer, remoteHeaders, remoteReason } from "./messages.js";
import { type AcpAddress, checkAddress, eventsPath, httpPathsReason, remotePath, rpcPath } from "./paths.js";

/** How an agent is reached over the network. `headers`, `fetch` and `cookies` are for HTTP. */
export interface AcpDialOptions
  extends AcpClientOptions,
    AcpAddress,
    Omit<HttpClientOptions, "rpc" | "events" | "refused" | "mayArriveTwice">,
    Omit<WebSocketDialOptions, "timeoutMs"> {
  /** Sent as `Authorization: Bearer …`; over the global `WebSocket`, which sends no headers, as a subprotocol. */
  token?: string | undefined;
  /**
   * The `client_id` by which a server at the paths of the specification knows this client (spec 1); each client needs
   * its own. Default: a new UUID.
   */
  clientId?: string | undefined;
  /** Milliseconds until the dial of a WebSocket fails. Default 10,000. */
  dialTimeoutMs?: number | undefined;
}

/**
 * Connects to an agent that listens, and initializes it. The scheme of `url` decides how: `http` and `https` by
 * Streamable HTTP, `ws` and `wss` by a WebSocket, both at the path `/acp` of the official protocol. With `paths:
 * "spec"`, by the HTTP of the specification. A URL may already end in the path. A lost event stream is opened again,
 * and nothing is lost with it if the agent numbers its events; if it does not, and owes an answer on that stream, the
 * client closes. A lost WebSocket closes the client.
 *
 * WebSockets are those of the global `WebSocket`, which browsers and Node 22 have, without `headers` and `cookies`;
 * `dialAcp` of `@editwire/acp/node` runs in every Node and sends them. Throws a `TypeError` for a URL of another
 * scheme, for options that the way does not have, and without a global `WebSocket`; `WireError("not_connected")` for a
 * server that is out of reach or refuses the connection; and what `connectAcp` throws.
 */
export async function dialAcp(url: string | URL, options: AcpDialOptions = {}): Promise<AcpClient> {
  return dialIn(url, options, globalWebSocket);
}

/** As `dialAcp`; `openWebSocket` connects to the URL of a WebSocket. */
export async function dialIn<Options extends AcpDialOptions>(
  url: string | URL,
  options: Options,
  openWebSocket: (url: URL, options: Options) => Promise<Transport>,
): Promise<AcpClient> {
  checkClientOptions(name, options);
  const scheme = schemeOf(url);
  checkAddress(name, options);
  const isSpec = options.paths === "spec";
  if (options.clientId !== undefined && !isSpec)
    throw new TypeError(`${name}: expected clientId only with paths: "spec"; the official transports have none`);
  if (scheme === "http") return isSpec ? dialSpecHttp(url, options) : dialStreamableHttp(url, options);
  if (isSpec)
    throw new TypeError(`${name}: expected an http or https URL with paths: "spec", received "${String(url)}"`);
  const transport = await openWebSocket(urlBelow(name, "ws", url, options.path ?? remotePath), options);
  return connectIn(name, transport, options, new AcpDialect("client"));
}

const name = "dialAcp";

function schemeOf(url: unknown): "http" | "ws" {
  const { protocol } = URL.canParse(String(url)) ? new URL(String(url)) : { protocol: "" };
  if (/^https?:$/.test(protocol)) return "http";
  if (/^wss?:$/.test(protocol)) return "ws";
  throw new TypeError(`${name}: expected an http, https, ws or wss URL, received "${String(url)}"`);
}

function globalWebSocket(url: URL, options: AcpDialOptions): Promise<Transport> {
  const forNode = "dialAcp of @editwire/acp/node";
  for (const key of ["headers", "cookies"] as const)
    if (options[key] !== undefined)
      throw new TypeError(`${name}: expected no ${key}, which the global WebSocket does not send; use ${forNode}`);
  if ((globalThis as { WebSocket?: unknown }).WebSocket === undefined)
    throw new TypeError(`${name}: expected a global WebSocket; without one, use ${forNode}`);
  return connectGlobalWebSocket(url, { readBinary: "if-first", ...options, timeoutMs: options.dialTimeoutMs });
}

function dialStreamableHttp(url: string | URL, options: AcpDialOptions): Promise<AcpClient> {
  const transport = httpStreamsClientTransport({
    ...options,
    url: urlBelow(name, "http", url, options.path ?? remotePath),
    names: remoteHeaders,
    routes: new ClientRoutes(),
    headers: withToken(options),
  });
  const dialect = new AcpDialect("client");
  dialect.decide("v1", remoteReason);
  return connectIn(name, transport, options, dialect);
}

function dialSpecHttp(baseUrl: string | URL, options: AcpDialOptions): Promise<AcpClient> {
  const { clientId = crypto.randomUUID() } = options;
  const urlOf = (path: string): URL => {
    const url = urlBelow(name, "http", baseUrl, path, [rpcPath, eventsPath]);
    url.searchParams.set("client_id", clientId);
    return url;
  };
  const transport = httpClientTransport({
    ...options,
    rpc: urlOf(rpcPath),
    events: urlOf(eventsPath),
    headers: withToken(options),
    refused: refusedAnswer,
    mayArriveTwice,
  });
  const dialect = new AcpDialect("client");
  dialect.assume("spec", httpPathsReason);
  return connectIn(name, transport, options, dialect);
}
