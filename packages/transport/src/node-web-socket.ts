import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WireError } from "@editwire/core/errors";
import { type WebSocket as WsSocket, WebSocket, WebSocketServer } from "ws";
import { atEndOfTick } from "./end-of-tick.js";
import { createGuard, type GuardOptions } from "./guard.js";
import { startInterval, startTimer } from "./timers.js";
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

/** How a server admits WebSockets. */
export interface WebSocketServerOptions extends NodeWebSocketOptions, GuardOptions {
  /** The path that is served. Default: every path. */
  path?: string | undefined;
  /** Connections at a time; one more is answered 503. Default 1,024. */
  maxConnections?: number | undefined;
  /** Refuses a caller that passed the guard, with the status that it returns, such as `400 Bad Request`. */
  refuse?: ((request: IncomingMessage) => string | undefined) | undefined;
}

/** Takes WebSocket upgrades of an existing HTTP server. */
export interface WebSocketUpgrader {
  /** The listener for `server.on("upgrade", …)`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends every connection. */
  close(): Promise<void>;
}

const defaultMaxMessageBytes = 64 * 1024 * 1024;
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

/**
 * Makes the upgrade handler of a server. The guard refuses callers before the upgrade: 401 or 403, and nothing else is
 * read.
 */
export function webSocketUpgrader(
  onConnection: (transport: Transport, request: IncomingMessage) => void,
  options: WebSocketServerOptions = {},
): WebSocketUpgrader {
  const { maxMessageBytes: maxPayload = defaultMaxMessageBytes, maxConnections = 1024, path } = options;
  const guard = createGuard(options);
  const server = new WebSocketServer({ noServer: true, maxPayload, perMessageDeflate: false });

  const refusalOf = (request: IncomingMessage): string | undefined => {
    const refusal = guard({ get: (name) => headerOf(request, name) });
    if (refusal !== undefined) return refusal.status === 401 ? "401 Unauthorized" : "403 Forbidden";
    if (path !== undefined && request.url?.split("?", 1)[0] !== path) return "404 Not Found";
    if (server.clients.size >= maxConnections) return "503 Service Unavailable";
    return options.refuse?.(request);
  };

  return {
    upgrade(request, socket, head) {
      const refusal = refusalOf(request);
      if (refusal !== undefined) {
        socket.on("error", () => socket.destroy()); // the caller may be gone already
        return void socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      }
      server.handleUpgrade(request, socket, head, (webSocket) =>
        onConnection(transportOf(webSocket, socket, options), request),
      );
    },
    async close() {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function transportOf(socket: WsSocket, connection: Duplex, options: NodeWebSocketOptions): Transport {
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

function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return (Array.isArray(value) ? value.join(", ") : value) ?? null;
}
