// Apart from what the entry points export, so that their declarations do not need the types of `ws`.
import type { Duplex } from "node:stream";
import { startInterval, startTimer } from "@editwire/core/timers";
import type { WebSocket as WsSocket } from "ws";
import type { HeldTransport } from "../../listening/queue-total.js";
import { atEndOfTick } from "../../shared/end-of-tick.js";
import { heldWebSocketTransport, type WebSocketOptions, type WebSocketPowers } from "../../web-socket/transport.js";

const defaultPingMs = 30_000;
/** Bytes of frames that are written without waiting for the end of the tick. */
const blockSize = 64 * 1024;

/** Bun replaces `ws` by its own. Its bytes do not pass through the connection, which may even be absent. */
const isBun = "bun" in process.versions;

/** Makes the transport of a socket whose connection is given. */
export function transportOf(socket: WsSocket, connection: Duplex, options: NodeWebSocketOptions): HeldTransport {
  dropWhenSilent(socket, options.pingMs ?? defaultPingMs, options.pongMs);
  const powers = isBun ? new SocketPowers(socket) : new ConnectionPowers(socket, connection);
  return heldWebSocketTransport(socket, options, powers);
}

/** Further operations of a socket of `ws`. */
class SocketPowers implements WebSocketPowers {
  protected readonly socket: WsSocket;

  constructor(socket: WsSocket) {
    this.socket = socket;
  }

  onMessage(listener: (data: unknown) => void): void {
    this.socket.on("message", (data, isBinary) => listener(isBinary ? data : (data as Buffer).toString("utf8")));
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  terminate(): void {
    this.socket.terminate();
  }
}

/** Further operations by way of its connection, which is corked until the end of the tick. */
class ConnectionPowers extends SocketPowers {
  readonly #connection: Duplex;
  #corked = false;

  constructor(socket: WsSocket, connection: Duplex) {
    super(socket);
    this.#connection = connection;
  }

  onRoom(action: () => void): void {
    this.#connection.once("drain", action);
  }

  send(text: string): void {
    if (!this.#corked) this.#connection.cork();
    this.#corked = true;
    this.socket.send(text);
    if (this.#connection.writableLength >= blockSize) this.#uncork();
    else atEndOfTick(this.#uncork);
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

/** The options of both ends of a WebSocket in Node. */
export interface NodeWebSocketOptions extends WebSocketOptions {
  /** Bytes of one message. Default 64 MiB; a larger one closes the connection with `too_large`. */
  maxMessageBytes?: number | undefined;
  /** Milliseconds between pings. Default 30,000; a connection that answers none until the next one is dropped. */
  pingMs?: number | undefined;
  /** Milliseconds that the peer has to answer a ping. Default: until the next one. */
  pongMs?: number | undefined;
}

/** Bytes of one message. */
export const defaultMaxMessageBytes = 64 * 1024 * 1024;
