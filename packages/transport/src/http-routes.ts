/**
 * Says which event stream a message belongs to, at the server. Each connection has its own routes, because an answer
 * follows the message that asked. The name of a connection's own stream is `""`.
 */
export interface HttpServerRoutes {
  /** The stream of a message that the server sends; `undefined` for the answer to the POST that opened the connection. */
  outgoing(message: unknown): string | undefined;
  /**
   * Notes a message that the client POSTed, and the stream that the POST names. Returns why the message does not belong
   * there, which is answered 400.
   */
  incoming(message: unknown, stream: string | undefined): string | undefined;
}
