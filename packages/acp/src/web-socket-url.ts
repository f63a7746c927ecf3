/** Where an agent serves ACP over WebSockets and Streamable HTTP by default. */
export const webSocketPath = "/acp";

/** Where an agent serves ACP below a base URL. */
export interface WebSocketAddress {
  /** The path at which the agent is served, after the path of the URL. Default `/acp`. */
  path?: string | undefined;
}

/**
 * The URL to dial. For error texts, `name` is the function that got it. Throws a `TypeError` for a base URL that is not
 * ws, wss, http or https.
 */
export function webSocketUrl(name: string, baseUrl: string | URL, { path = webSocketPath }: WebSocketAddress): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^(ws|http)s?:$/.test(url.protocol))
    throw new TypeError(`${name}: expected a ws, wss, http or https URL, received "${String(baseUrl)}"`);
  url.protocol = url.protocol.replace(/^http/, "ws");
  url.pathname = url.pathname.replace(/\/$/, "") + path;
  return url;
}

/** As `webSocketUrl`, for Streamable HTTP. Throws a `TypeError` for a base URL that is not http or https. */
export function httpUrl(name: string, baseUrl: string | URL, { path = webSocketPath }: WebSocketAddress): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError(`${name}: expected an http or https URL, received "${String(baseUrl)}"`);
  url.pathname = url.pathname.replace(/\/$/, "") + path;
  return url;
}
