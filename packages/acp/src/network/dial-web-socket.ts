import { urlBelow } from "@editwire/session";
import { connectGlobalWebSocket, type WebSocketDialOptions } from "@editwire/transport";
import { type AcpClient, checkClientOptions, connectIn } from "../client/client.js";
import type { AcpClientOptions } from "../client/options.js";
import { AcpDialect } from "../shared/dialect.js";
import { type RemoteAddress, remotePath } from "./paths.js";

/** How an agent is reached over a WebSocket. */
export interface AcpWebSocketClientOptions
  extends AcpClientOptions,
    RemoteAddress,
    Omit<WebSocketDialOptions, "timeoutMs"> {
  /** Milliseconds until the dial fails. Default 10,000. */
  dialTimeoutMs?: number | undefined;
}

/**
 * Connects to an agent that serves ACP over a WebSocket, with the global `WebSocket` of browsers and Node 22, and
 * initializes it. `baseUrl` is the part before `path`, or ends in it. The token is sent as a subprotocol, since a page
 * cannot send headers. Throws a `TypeError` for a URL that is not ws, wss, http or https and where there is no global
 * `WebSocket`, `WireError("not_connected")` for a server that is out of reach or refuses the connection, and what
 * `connectAcp` throws. `dialAcpNodeWebSocket` needs no global `WebSocket`.
 */
export async function dialAcpWebSocket(
  baseUrl: string | URL,
  options: AcpWebSocketClientOptions = {},
): Promise<AcpClient> {
  const name = "dialAcpWebSocket";
  checkClientOptions(name, options);
  const url = urlBelow(name, "ws", baseUrl, options.path ?? remotePath);
  if ((globalThis as { WebSocket?: unknown }).WebSocket === undefined)
    throw new TypeError(
      `${name}: expected a global WebSocket; without one, use dialAcpNodeWebSocket of @editwire/acp/ws`,
    );
  const transport = await connectGlobalWebSocket(url, {
    readBinary: "if-first",
    ...options,
    timeoutMs: options.dialTimeoutMs,
  });
  return connectIn(name, transport, options, new AcpDialect("client"));
}
