import { once } from "node:events";
import { WireError } from "@editwire/core/errors";
import { Cookies } from "../../http/cookies.js";
import { defaultMaxMessageBytes, type NodeWebSocketOptions, transportOf } from "./transport.js";
import type { Transport } from "../../transport.js";

/** How a client dials. */
export interface DialOptions extends NodeWebSocketOptions {
  /** Sent with the upgrade, such as `authorization`. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Takes the cookies that the server sets, by their names. A later dial with the same map returns them, so that a load
   * balancer takes it to the same server. Default: they are not kept.
   */
  cookies?: Map<string, string> | undefined;
  /** Milliseconds until the dial fails. Default 10,000. */
  timeoutMs?: number | undefined;
}

/**
 * Dials a WebSocket. Throws `WireError("not_connected")` with the URL and the cause. When the server refused the
 * upgrade, `data` is `{ status }` with its HTTP status.
 */
export async function connectWebSocket(url: string | URL, options: DialOptions = {}): Promise<Transport> {
  const {
    headers = {},
    cookies = new Map<string, string>(),
    timeoutMs: handshakeTimeout = 10_000,
    maxMessageBytes: maxPayload = defaultMaxMessageBytes,
  } = options;
  const kept = new Cookies(cookies);
  const { WebSocket } = await import("ws"); // it takes longer to load than the rest of this entry point
  let transport: Transport | undefined;
  let status: number | undefined;
  try {
    const socket = new WebSocket(url, {
      headers: Object.fromEntries(new Headers(kept.addTo(headers))),
      handshakeTimeout,
      maxPayload,
      perMessageDeflate: false,
      skipUTF8Validation: false,
    });
    // Before the open event: the server's first message may arrive in one packet with the answer to the upgrade.
    socket.once("upgrade", (response) => {
      kept.take(response.headers["set-cookie"]);
      transport = transportOf(socket, response.socket, options);
    });
    socket.once("unexpected-response", (_request, response) => {
      status = response.statusCode;
      socket.terminate();
    });
    await once(socket, "open");
  } catch (cause) {
    const why = status === undefined ? (cause as Error).message : `Unexpected server response: ${status}`;
    const data = status === undefined ? undefined : { status };
    throw new WireError("not_connected", `cannot connect to ${String(url)}: ${why}`, { cause, data });
  }
  return transport as unknown as Transport;
}
