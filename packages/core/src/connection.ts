import { RemoteError, WireError } from "./errors.js";
import type {
  Connection,
  HandlerContext,
  Handlers,
  NotificationName,
  ParamsOf,
  RequestName,
  ResultOf,
  RoleOf,
} from "./infer.js";
import type { CallOptions, Diagnostic, Peer } from "./peer.js";
import { finderOf, type Profile, type ProfileFinder } from "./profile.js";
import type { MethodDef, Protocol } from "./protocol.js";
import { Recent } from "./recent.js";
import { type Row, rowOf } from "./rows.js";
import { isObject } from "./schema.js";
import { traced } from "./traced.js";
import { valuesIn } from "./values.js";

/** Takes the messages that no handler takes, as they are on the wire. */
export interface Fallback {
  /**
   * Answers a request. The result is not validated; nothing becomes `{}`. For a method that it does not know, it throws
   * `RemoteError.methodNotFound(method)`. Default: the request is answered with -32601.
   */
  request?(method: string, params: unknown, context: HandlerContext): unknown;
  /** Handles a notification. Default: one with an unknown method is reported to `onDiagnostic`, and ignored. */
  notification?(method: string, params: unknown, context: HandlerContext): void | Promise<void>;
}

/** The options of `connect`. */
export interface ConnectOptions {
  /** The dialect to speak, or an object that detects it. Default: the model unchanged, without repairs. */
  profile?: Profile | ProfileFinder | undefined;
  /** Refuses messages that the deviations table would repair. Default false. */
  strict?: boolean | undefined;
  /** Called with every repair, and once per method with a notification that the protocol does not have. */
  onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
  /**
   * Called with errors that the peer does not receive: errors of handlers, invalid values of this side, and each
   * notification that was dropped because it does not fit.
   */
  onError?: ((error: unknown, method: string | undefined) => void) | undefined;
  /** Takes the messages that no handler takes. Default none. */
  fallback?: Fallback | undefined;
}

type Handle = (params: unknown, context: HandlerContext) => unknown;

/**
 * Binds one role of a protocol to a peer engine: every call and every handler is typed and validated, in both
 * directions. A request without a handler is answered with -32601, and one with invalid params with -32602 and the
 * issues. A call rejects with a `WireError` or with the peer's `RemoteError`. Throws a `TypeError` for a role that the
 * protocol does not have.
 */
export function connect<P extends Protocol, Self extends RoleOf<P>>(
  protocol: P,
  self: Self,
  peer: Peer,
  handlers: Handlers<P, Self>,
  options: ConnectOptions = {},
): Connection<P, Self> {
  const { strict = false, profile = { name: protocol.name }, onError = () => {}, onDiagnostic = () => {} } = options;
  checkRole(protocol, self);
  const { read, write } = valuesIn(finderOf(profile), strict ? undefined : onDiagnostic);
  const reportUnknown = unknownNotifications(onDiagnostic);

  const rows = new Recent((method) => rowOf(protocol, method));
  const sending = (kind: MethodDef["kind"], method: string): Row => sentBy(protocol, self, kind, method);
  const receiving = (kind: MethodDef["kind"], method: string): Row | undefined =>
    receivedBy(rows.get(method), self, kind, method);
  const handlerOf = ({ key }: Row): Handle | undefined => own(handlers, key);

  peer.serve({
    async request(method, params, context) {
      const row = receiving("request", method);
      const handle = row && handlerOf(row);
      if (row === undefined || handle === undefined) return answerUnknown(options.fallback, method, params, context);
      const value = asReceived(() => read(row.params, params ?? {}));
      return write(row.result, await handle(value, context));
    },
    notification(method, params, context) {
      const row = receiving("notification", method);
      const handle = row && handlerOf(row);
      if (row && handle) return handle(read(row.params, params ?? {}), context) as void | Promise<void>;
      if (options.fallback?.notification) return options.fallback.notification(method, params, context);
      if (row === undefined) reportUnknown(method);
    },
    session: (_method, params) => sessionOf(protocol.session, params),
    diagnostic: onDiagnostic,
    error: onError,
  });

  return {
    async request<N extends RequestName<P, Self>>(
      method: N,
      params: ParamsOf<P, N>,
      callOptions?: CallOptions,
    ): Promise<ResultOf<P, N>> {
      const row = sending("request", method);
      const value = write(row.params, params);
      let result: unknown;
      try {
        result = await peer.request(row.method, value, callOptions);
      } catch (error) {
        throw traced(error);
      }
      return read(row.result, result ?? {}) as ResultOf<P, N>;
    },
    notify<N extends NotificationName<P, Self>>(method: N, params: ParamsOf<P, N>): void | Promise<void> {
      const row = sending("notification", method);
      return peer.notify(row.method, write(row.params, params));
    },
    close: () => peer.close(),
    closed: peer.closed,
  };
}

/** The fallback's answer; `{}` when it returns nothing. */
async function answerUnknown(
  fallback: Fallback | undefined,
  method: string,
  params: unknown,
  context: HandlerContext,
): Promise<unknown> {
  if (fallback?.request === undefined) throw RemoteError.methodNotFound(method);
  return (await fallback.request(method, params, context)) ?? {};
}

/** Throws a `TypeError` for a role that the protocol lacks. */
function checkRole({ name, roles }: Protocol, self: string): void {
  if (roles.includes(self)) return;
  const known = roles.map((role) => `"${role}"`).join(" or ");
  throw new TypeError(`connect: expected a role of ${name}, ${known}, received "${String(self)}"`);
}

/** A method that this side may send. Throws `invalid_params` for any other. */
function sentBy(protocol: Protocol, self: string, kind: MethodDef["kind"], method: string): Row {
  const row = rowOf(protocol, method);
  if (row?.def.kind === kind && (row.def.from === self || row.def.from === "both")) return row;
  throw new WireError("invalid_params", `${method}: not a ${kind} that the ${self} of ${protocol.name} sends`);
}

/** The row of a method that this side may receive, of those that `rowOf` finds by its name. */
function receivedBy(named: Row | undefined, self: string, kind: MethodDef["kind"], method: string): Row | undefined {
  const row = named?.def.kind === kind ? named : named?.other;
  return row?.method === method && row.def.kind === kind && row.def.from !== self ? row : undefined;
}

/** The handler of a method, if the application gave one. */
function own(handlers: object, method: string): Handle | undefined {
  return Object.hasOwn(handlers, method)
    ? (handlers as Readonly<Record<string, Handle | undefined>>)[method]
    : undefined;
}

/** Invalid params are the peer's error, so it receives the issues with -32602. */
function asReceived(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof WireError) throw RemoteError.invalidParams(error.message, error.data);
    throw error;
  }
}

function sessionOf(field: string | undefined, params: unknown): string | undefined {
  const session = field !== undefined && isObject(params) ? params[field] : undefined;
  return typeof session === "string" ? session : undefined;
}

/** The number of methods to remember, so that a peer that invents names cannot exhaust the memory. */
const maxMethods = 100;

/**
 * Reports notifications that the protocol does not define for this peer: each method once per connection, up to 100
 * methods.
 */
function unknownNotifications(onDiagnostic: (diagnostic: Diagnostic) => void): (method: string) => void {
  const reported = new Set<string>();
  return (method) => {
    if (reported.has(method) || reported.size >= maxMethods) return;
    reported.add(method);
    const kind = method.startsWith("_") ? "an extension's notification" : "a notification";
    onDiagnostic({ id: "unknown-notification", method, message: `ignored ${kind} that the protocol does not have` });
  };
}
