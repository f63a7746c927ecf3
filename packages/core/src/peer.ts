import type { WireError } from "./errors.js";

/** A JSON-RPC id. */
export type RequestId = string | number;

/** The options of one call. */
export interface CallOptions {
  /** Aborting sends the protocol's cancel message, if it has one, and rejects the call with `aborted`. */
  signal?: AbortSignal | undefined;
  /**
   * The effect of aborting besides the cancel message. `reject` (default): the call rejects with `aborted`. `wait`: the
   * call settles with the peer's answer, for protocols in which a cancelled request still has a result.
   */
  abort?: "reject" | "wait" | undefined;
  /** Milliseconds until the call rejects with `timeout`. Default: none. */
  timeoutMs?: number | undefined;
  /**
   * `ordered` (default): settles after the handlers of every notification that came before the reply.
   * `now`: settles as soon as the reply is read, for callers that order what they receive themselves.
   */
  settle?: "ordered" | "now" | undefined;
  /**
   * The reply follows a stream of notifications, so waiting for it does not lift the limit on unhandled ones. Default
   * false.
   */
  streams?: boolean | undefined;
  /**
   * Called when the reply is read, an error too, before any later message is handled. The promise of the call settles
   * after that. It must not throw.
   */
  onReply?: (() => void) | undefined;
}

/** The context of a message, passed to the handler with it. */
export interface PeerContext {
  /** Aborts when the peer cancels this request, or the connection closes. */
  readonly signal: AbortSignal;
  /** The request's id on the wire; absent for a notification. */
  readonly id: RequestId | undefined;
  /**
   * The size of the message's JSON text, in bytes or characters as its transport counts, for a handler that bounds what
   * it holds.
   */
  readonly length: number;
  /** Runs `action` right after this request's answer was passed to the transport; for a notification, at once. */
  afterReply(action: () => void): void;
}

/** A message that was handled although its form was wrong. */
export interface Diagnostic {
  /** The row of the deviations table, or the engine's own id, such as `rpc.id-type`. */
  readonly id: string;
  readonly method: string | undefined;
  /** The received form, and how it was read. */
  readonly message: string;
}

/** The callbacks that handle the messages of a peer engine. */
export interface PeerHandler {
  /** Answers a request with a result, or throws; a `RemoteError` reaches the peer as it is. */
  request(method: string, params: unknown, context: PeerContext): unknown;
  /** Handles a notification. While its promise is pending, the next one of the same session waits. */
  notification(method: string, params: unknown, context: PeerContext): void | Promise<void>;
  /** The session that a message belongs to. Messages without a session are handled in one common order. */
  session?(method: string, params: unknown): string | undefined;
  /** Called with each deviation that was tolerated. */
  diagnostic?(diagnostic: Diagnostic): void;
  /** Called with errors that the peer does not receive: errors of handlers, and messages that could not be read. */
  error?(error: unknown, method: string | undefined): void;
}

/** A peer engine: ids, pending calls, cancellation and order; it does not know which methods exist. */
export interface Peer {
  /** Sends a request; rejects with the peer's `RemoteError` or a `WireError`. */
  request(method: string, params: unknown, options?: CallOptions): Promise<unknown>;
  /** Sends a notification; returns a promise only when the peer is slow. */
  notify(method: string, params: unknown): void | Promise<void>;
  /** Starts reading. Called once. */
  serve(handler: PeerHandler): void;
  /** Closes the connection and rejects every pending call. */
  close(): Promise<void>;
  /** Resolves with the reason once closed, from either end. */
  readonly closed: Promise<WireError>;
}

/** Carries methods inside other methods, as Kaiak carries its commands inside `workspace/executeCommand`. */
export interface Route {
  wrap(method: string, params: unknown): RoutedMessage;
  unwrap(method: string, params: unknown): RoutedMessage;
}

/** A method and its params, before or after a `Route`. */
export interface RoutedMessage {
  readonly method: string;
  readonly params: unknown;
}
