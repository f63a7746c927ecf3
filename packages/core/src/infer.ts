import type { CallOptions, PeerContext } from "./peer.js";
import type { NotificationDef, Protocol, RequestDef } from "./protocol.js";

type Table<P> = P extends Protocol<string, infer M> ? M : never;
type Entry<P, K> = K extends keyof Table<P> ? Table<P>[K] : never;

/** The roles of a protocol. */
export type RoleOf<P> = P extends Protocol<infer R> ? R : never;

type ParamsIn<D> =
  D extends RequestDef<string, infer T, infer _R> ? T : D extends NotificationDef<string, infer T> ? T : never;
type ResultIn<D> = D extends RequestDef<string, infer _T, infer R> ? R : never;

/** The params of the method `K`; `never` for a name that the table does not have. */
export type ParamsOf<P, K> = ParamsIn<Entry<P, K>>;

/** The result of the request `K`; `never` for a notification. */
export type ResultOf<P, K> = ResultIn<Entry<P, K>>;

type Sender<D> = D extends { readonly from: infer From } ? From : never;
type SentBy<Self, D> = Sender<D> extends Self | "both" ? true : false;
type SentTo<Self, D> = Sender<D> extends "both" ? true : Sender<D> extends Self ? false : true;
type Kind<D> = D extends { readonly kind: infer K } ? K : never;

type Names<P, K extends "request" | "notification", Self> = {
  [N in keyof Table<P>]: [Kind<Table<P>[N]>, SentBy<Self, Table<P>[N]>] extends [K, true] ? N : never;
}[keyof Table<P>] &
  string;

/** The requests that the role `Self` may send. */
export type RequestName<P, Self> = Names<P, "request", Self>;
/** The notifications that the role `Self` may send. */
export type NotificationName<P, Self> = Names<P, "notification", Self>;

type Received<P, K extends "request" | "notification", Self> = {
  [N in keyof Table<P>]: [Kind<Table<P>[N]>, SentTo<Self, Table<P>[N]>] extends [K, true] ? N : never;
}[keyof Table<P>] &
  string;

type IsOptional<D> = D extends { readonly optional?: infer O }
  ? [Exclude<O, undefined>] extends [true]
    ? true
    : false
  : false;
type OptionalRequest<P, Self> = {
  [N in Received<P, "request", Self>]: IsOptional<Entry<P, N>> extends true ? N : never;
}[Received<P, "request", Self>];

/** The second argument of a handler. */
export type HandlerContext = PeerContext;

type RequestHandler<P, N> = (
  params: ParamsOf<P, N>,
  context: HandlerContext,
) => ResultOf<P, N> | Promise<ResultOf<P, N>>;
type NotificationHandler<P, N> = (params: ParamsOf<P, N>, context: HandlerContext) => void | Promise<void>;

/** The handlers of one role: a required request is a required key. */
export type Handlers<P, Self> = {
  [N in Exclude<Received<P, "request", Self>, OptionalRequest<P, Self>>]: RequestHandler<P, N>;
} & {
  [N in OptionalRequest<P, Self>]?: RequestHandler<P, N> | undefined;
} & { [N in Received<P, "notification", Self>]?: NotificationHandler<P, N> | undefined };

/** One role's typed end of a connection. */
export interface Connection<P, Self> {
  /**
   * Sends a request and returns its validated result. Throws `WireError` (`invalid_params` before any byte is sent,
   * `invalid_result`, `timeout`, `aborted`, `closed`) or the peer's `RemoteError`.
   */
  request<N extends RequestName<P, Self>>(
    method: N,
    params: ParamsOf<P, N>,
    options?: CallOptions,
  ): Promise<ResultOf<P, N>>;
  /** Sends a notification. Returns a promise only when the peer is slow; await it before you send more. */
  notify<N extends NotificationName<P, Self>>(method: N, params: ParamsOf<P, N>): void | Promise<void>;
  /** Closes the connection; every pending call rejects with `closed`. */
  close(): Promise<void>;
  /** Resolves, never rejects, with the reason once the connection is closed from either end. */
  readonly closed: Promise<Error>;
}
