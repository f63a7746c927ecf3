import type { WireError } from "@editwire/core/errors";

/** The names of the headers that a message and an event stream belong to. */
export interface StreamsHeaders {
  /** Names the connection, such as `Acp-Connection-Id`. */
  readonly connection: string;
  /** Names an event stream of the connection, such as `Acp-Session-Id`. */
  readonly stream: string;
}

/**
 * Says which event stream a message belongs to, at the server. Each connection has its own routes, because an answer
 * follows the message that asked. The name of a connection's own stream is `""`.
 */
export interface HttpServerRoutes {
  /**
   * The stream of a message that the server sends; `undefined` for the answer to the POST that opened the connection.
   */
  outgoing(message: unknown): string | undefined;
  /**
   * Notes a message that the client POSTed, and the stream that the POST names. Returns why the message does not belong
   * there, which is answered 400.
   */
  incoming(message: unknown, stream: string | undefined): string | undefined;
}

/** The event streams that a received message opens or ends. */
export interface StreamChange {
  /** This stream exists from now on. */
  readonly opens?: string | undefined;
  /** Nothing more comes on this stream. */
  readonly ends?: string | undefined;
}

/** Says which event stream a message belongs to, at the client. */
export interface HttpClientRoutes {
  /** Notes a message that the client sends. Returns the stream that its POST names; `""` for none. */
  outgoing(message: unknown): string;
  /** Notes a message that came on a stream. */
  incoming(message: unknown, stream: string): StreamChange;
  /** True while an answer is to come on the stream: without event ids, it may be lost with the stream. */
  awaits(stream: string): boolean;
  /** True for a message that does no harm if it arrives twice, such as the answer to a request of the server. */
  mayArriveTwice(message: unknown): boolean;
  /** The answer to a message whose POST failed; `undefined` for a message that is no request. */
  refused(message: unknown, why: WireError): unknown;
}
