import { WireError } from "@editwire/core/errors";
import { startTimer } from "@editwire/core/timers";
import type { Transport } from "../transport.js";
import { type WebSocketOptions, webSocketTransport } from "./transport.js";
import { subprotocolsOf } from "./token.js";

/** How a client dials with the global `WebSocket`. */
export interface WebSocketDialOptions extends WebSocketOptions {
  /** Sent as the subprotocol `bearer.<base64url>` beside `editwire.v1`, which the server must select. */
  token?: string | undefined;
  /** Milliseconds until the dial fails. Default 10,000. */
  timeoutMs?: number | undefined;
}

/**
 * Dials with the global `WebSocket`, which browsers and Node 22 have. Throws `WireError("not_connected")` with the URL,
 * and a `TypeError` without a global `WebSocket`; use `connectWebSocket` of `@editwire/transport/node` there.
 */
export async function connectGlobalWebSocket(
  url: string | URL,
  options: WebSocketDialOptions = {},
): Promise<Transport> {
  const { WebSocket: Socket }: { WebSocket?: typeof WebSocket } = globalThis;
  if (Socket === undefined)
    throw new TypeError(
      "connectGlobalWebSocket: expected a global WebSocket; without one, use @editwire/transport/node",
    );
  const failed = (message: string, cause?: unknown): WireError =>
    new WireError("not_connected", `cannot connect to ${String(url)}: ${message}`, { cause });
  let socket: WebSocket;
  try {
    socket = new Socket(url, subprotocolsOf(options.token));
  } catch (cause) {
    throw failed((cause as Error).message, cause);
  }
  // Before the open event: the server's first message may be the next event.
  const transport = webSocketTransport(socket, options);
  const failure = await failureOf(socket, options.timeoutMs ?? 10_000);
  if (failure === undefined) return transport;
  socket.close();
  throw failed(failure);
}

/** Why a socket did not open. Undefined once it is open. */
function failureOf(socket: WebSocket, timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const stop = startTimer(timeoutMs, () => resolve(`no answer within ${timeoutMs} ms`));
    const settle = (failure: string | undefined): void => {
      stop();
      resolve(failure);
    };
    socket.addEventListener("open", () => settle(undefined));
    // The server's answer is hidden from pages, and so from every user of this interface.
    socket.addEventListener("close", () => settle("the server is out of reach or refused the connection"));
  });
}
