import type { WebSocketOptions } from "./web-socket.js";

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
