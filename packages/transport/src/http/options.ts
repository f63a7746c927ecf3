import type { GuardOptions } from "../listening/guard.js";
import type { Transport } from "../transport.js";
import type { HttpServerRoutes, StreamsHeaders } from "./routes.js";

/** Who may reach an HTTP server, and what its clients may take. */
export interface HttpServerLimits extends GuardOptions {
  /** Bytes of one POST. Default 4 MiB; a larger one is answered 413. */
  maxBodyBytes?: number | undefined;
  /**
   * POSTs of one client that may wait for a busy listener. Default 64; one more is answered 429. A client that keeps
   * its messages in order has one.
   */
  maxWaitingPosts?: number | undefined;
  /**
   * Clients at a time. Default 256. One more takes the slot of the oldest client that has not sent what `opens` it, or
   * has never opened its event stream; then that of the client which has had no event stream and no POST for the
   * longest time. Where every client is present it is answered 503.
   */
  maxClients?: number | undefined;
  /**
   * Characters that wait for all clients together, or are kept after they were sent. Default 64 Mi. Past them, the
   * slowest clients are closed, and `onDiagnostic` gets `listener.overloaded`; where none waits, what was sent is
   * dropped, so that a stream which is lost then cannot go on.
   */
  maxQueuedTotal?: number | undefined;
  /** Characters that wait for a client's event streams. Default 16 Mi; past them `send` throws `overloaded`. */
  maxQueuedBytes?: number | undefined;
  /**
   * Characters that are kept after they were sent, for a stream that is opened again with `Last-Event-ID`. Default 16
   * Mi, more than a connection's buffers usually hold; the last message is always kept.
   */
  maxReplayBytes?: number | undefined;
  /** Milliseconds without an event stream or a POST after which a client counts as gone. Default 300,000. */
  idleMs?: number | undefined;
  /** Milliseconds between comments on a silent event stream. Default 5,000. */
  keepAliveMs?: number | undefined;
  /** Milliseconds that a client gets to read what was sent when its transport is closed here. Default 2,000. */
  closeTimeoutMs?: number | undefined;
}

/** How `httpServer` serves messages: POST requests come in, an event stream goes out. */
export interface HttpServerOptions extends HttpServerLimits {
  /** Path that takes a client's messages by POST, such as `/acp/rpc`. */
  rpcPath: string;
  /** Path that gives a client's event stream by GET, such as `/acp/sse`. */
  eventsPath: string;
  /** Takes each new client. Its POSTs wait until the transport is started. */
  onClient(transport: Transport, client: HttpClient): void;
  /**
   * Says whether a message makes a client one that keeps its slot, such as a valid `initialize`. Default: every message
   * does.
   */
  opens?: ((message: unknown) => boolean) | undefined;
  /** The HTTP status that answers a message: 2xx takes it, 4xx refuses it. Default 202 for every JSON value. */
  statusOf?: ((message: unknown) => number) | undefined;
}

/** A client of an HTTP server. Callers do not share ids: one id under two callers is two clients. */
export interface HttpClient {
  /** The `client_id` in the query of both paths. */
  readonly id: string;
  /** The caller, as `authenticate` returned it; `undefined` without that option. */
  readonly caller: string | undefined;
}

/** How `httpStreamsServer` serves messages: one path, and several event streams for each client. */
export interface HttpStreamsServerOptions extends Omit<HttpServerLimits, "maxBodyBytes" | "maxReplayBytes"> {
  /** Path of every request, such as `/acp`. */
  path: string;
  /** The names of the headers that name the connection and the stream. */
  headers: StreamsHeaders;
  /** Takes each new client. Its id is that of its connection. */
  onClient(transport: Transport, client: HttpClient): void;
  /** True for a message that opens a connection. Its answer is the answer to its POST. */
  opens(message: unknown): boolean;
  /** True for a message that `opens` and is valid: its client keeps its slot. Default: every one is. */
  keeps?: ((message: unknown) => boolean) | undefined;
  /** The routes of a connection that the message opened. */
  routes(opening: unknown): HttpServerRoutes;
  /** Returns the body of the answer 400 to what is not a message. Default: every JSON value is one. */
  refuse?: ((message: unknown) => object | undefined) | undefined;
  /** Bytes of one POST. Default 16 MiB; a larger one is answered 413. */
  maxBodyBytes?: number | undefined;
  /**
   * Characters that each event stream keeps after they were sent, for a client that opens it again with
   * `Last-Event-ID`. Default 1 Mi; the last message is always kept.
   */
  maxReplayBytes?: number | undefined;
  /** Event streams of one client. Default 256; one that is neither open nor waited for makes place for another. */
  maxStreams?: number | undefined;
}
