import { once } from "node:events";
import type { Duplex } from "node:stream";
import { WireError } from "@editwire/core/errors";
import { type WebSocket as WsSocket, WebSocket } from "ws";
import { atEndOfTick } from "./end-of-tick.js";
import { startInterval, startTimer } from "@editwire/core/timers";
import type { Transport } from "./transport.js";
import { type WebSocketOptions, type WebSocketPowers, webSocketTransport } from "./web-socket.js";

/** The options of both ends of a WebSocket in Node. */
export interface NodeWebSocketOptions extends WebSocketOptions {
  /** Bytes of one message. Default 64 MiB; a larger one closes the connection with `too_large`. */
  maxMessageBytes?: number | undefined;
  /** Milliseconds between pings. Default 30,000; a connection that answers none until the next one is dropped. */
  pingMs?: number | undefined;
  /** Milliseconds that the peer has to answer a ping. Default: until the next one. */
  pongMs?: number | undefined;
}

/** How a client dials. */
export interface DialOptions extends NodeWebSocketOptions {
  /** Sent with the upgrade, such as `authorization`. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds until the dial fails. Default 10,000. */
  timeoutMs?: number | undefined;
}

/** Bytes of one message. */
export const defaultMaxMessageBytes = 64 * 1024 * 1024;
const defaultPingMs = 30_000;
/** Bytes of frames that leave without waiting for the end of the tick. */
const blockSize = 64 * 1024;

/**
 * Dials a WebSocket. Throws `WireError("not_connected")` with the URL and the cause. When the server refused the
 * upgrade, `data` is `{ status }` with its HTTP status.
 */
export async function connectWebSocket(url: string | URL, options: DialOptions = {}): Promise<Transport> {
  const {
    headers = {},
    timeoutMs: handshakeTimeout = 10_000,
    maxMessageBytes: maxPayload = defaultMaxMessageBytes,
  } = options;
  let transport: Transport | undefined;
  let status: number | undefined;
  try {
    const socket = new WebSocket(url, {
      headers: { ...headers },
      handshakeTimeout,
      maxPayload,
      perMessageDeflate: false,
      skipUTF8Validation: false,
    });
    // Before the open event: the server's first message may arrive in one packet with the answer to the upgrade.
    socket.once("upgrade", (response) => (transport = transportOf(socket, response.socket, options)));
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

/** Makes the transport of a socket whose connection is given. */
export function transportOf(socket: WsSocket, connection: Duplex, options: NodeWebSocketOptions): Transport {
  dropWhenSilent(socket, options.pingMs ?? defaultPingMs, options.pongMs);
  return webSocketTransport(socket, options, new NodePowers(socket, connection));
}

/** What a socket of `ws` can do in addition. The connection below it is corked until the end of the tick. */
class NodePowers implements WebSocketPowers {
  readonly #socket: WsSocket;
  readonly #connection: Duplex;
  #corked = false;

  constructor(socket: WsSocket, connection: Duplex) {
    this.#socket = socket;
    this.#connection = connection;
  }

  onMessage(listener: (data: unknown) => void): void {
    this.#socket.on("message", (data, isBinary) => listener(isBinary ? data : (data as Buffer).toString("utf8")));
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  onRoom(action: () => void): void {
    this.#connection.once("drain", action);
  }

  send(text: string): void {
    if (!this.#corked) this.#connection.cork();
    this.#corked = true;
    this.#socket.send(text);
    if (this.#connection.writableLength >= blockSize) this.#uncork();
    else atEndOfTick(this.#uncork);
  }

  terminate(): void {
    this.#socket.terminate();
  }

  readonly #uncork = (): void => {
    if (!this.#corked) return;
    this.#corked = false;
    this.#connection.uncork();
  };
}

/** Drops a peer that does not answer a ping: one that lost its network never closes. */
function dropWhenSilent(socket: WsSocket, pingMs: number, pongMs: number | undefined): void {
  let answered = true;
  const check = (): boolean => {
    const silent = !answered && !socket.isPaused;
    if (silent) socket.terminate();
    return silent;
  };
  let stopWaiting = (): void => {};
  const stop = startInterval(pingMs, () => {
    if (check()) return;
    answered = false;
    socket.ping();
    if (pongMs !== undefined && pongMs < pingMs) stopWaiting = startTimer(pongMs, check);
  });
  socket.on("pong", () => (answered = true));
  socket.on("close", () => {
    stop();
    stopWaiting();
  });
}
