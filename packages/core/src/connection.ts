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
import { type MethodDef, methodOf, type Protocol, type RequestDef } from "./protocol.js";
import { isObject } from "./schema.js";
import { traced } from "./traced.js";
import { unknownNotifications } from "./unknown-notifications.js";
import { type Place, valuesIn } from "./values.js";

/** The options of `connect`. */
export interface ConnectOptions {
  /** The dialect to speak, or an object that detects it. Default: the model unchanged, without repairs. */
  profile?: Profile | ProfileFinder | undefined;
  /** Refuses messages that the deviations table would repair. Default false. */
  strict?: boolean | undefined;
  /** Called with every repair, and once per method with a notification that the protocol does not have. */
  onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
  /** Called with errors that the peer does not receive: errors of handlers, and invalid values of this side. */
  onError?: ((error: unknown, method: string | undefined) => void) | undefined;
}

type Handle = (params: unknown, context: HandlerContext) => unknown;

/** A method that this side handles. */
interface Handling {
  readonly def: MethodDef;
  readonly handle: Handle;
}

/**
 * Binds one role of a protocol to a peer engine: every call and every handler is typed and validated, both ways. A
 * request without a handler is answered with -32601, and one with invalid params with -32602 and the issues.
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

  const sending = (kind: MethodDef["kind"], method: string): MethodDef => sentBy(protocol, self, kind, method);
  const receiving = (kind: MethodDef["kind"], method: string): Handling | undefined =>
    receivedBy(protocol, self, kind, method, handlers as Readonly<Record<string, Handle | undefined>>);

  peer.serve({
    async request(method, params, context) {
      const found = receiving("request", method);
      if (found === undefined || found.def.kind !== "request") throw RemoteError.methodNotFound(method);
      const result = await found.handle(
        asReceived(() => read(paramsOf(method, found.def), params ?? {})),
        context,
      );
      return write(resultOf(method, found.def), result);
    },
    notification(method, params, context) {
      const found = receiving("notification", method);
      if (found === undefined) return isReceived(protocol, self, method) ? undefined : reportUnknown(method);
      return found.handle(read(paramsOf(method, found.def), params ?? {}), context) as void | Promise<void>;
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
      const def = sending("request", method) as RequestDef;
      const value = write(paramsOf(method, def), params);
      let result: unknown;
      try {
        result = await peer.request(method, value, callOptions);
      } catch (error) {
        throw traced(error);
      }
      return read(resultOf(method, def), result ?? {}) as ResultOf<P, N>;
    },
    notify<N extends NotificationName<P, Self>>(method: N, params: ParamsOf<P, N>): void | Promise<void> {
      const def = sending("notification", method);
      return peer.notify(method, write(paramsOf(method, def), params));
    },
    close: () => peer.close(),
    closed: peer.closed,
  };
}

/** Throws a `TypeError` for a role that the protocol lacks. */
function checkRole({ name, roles }: Protocol, self: string): void {
  if (roles.includes(self)) return;
  const known = roles.map((role) => `"${role}"`).join(" or ");
  throw new TypeError(`connect: expected a role of ${name}, ${known}, received "${String(self)}"`);
}

/** The definition of a method that this side may send. Throws `invalid_params` for any other. */
function sentBy(protocol: Protocol, self: string, kind: MethodDef["kind"], method: string): MethodDef {
  const def = methodOf(protocol, method);
  if (def?.kind === kind && (def.from === self || def.from === "both")) return def;
  throw new WireError("invalid_params", `${method}: not a ${kind} that the ${self} of ${protocol.name} sends`);
}

/** The definition and the handler of a method that this side receives and handles. */
function receivedBy(
  protocol: Protocol,
  self: string,
  kind: MethodDef["kind"],
  method: string,
  handlers: Readonly<Record<string, Handle | undefined>>,
): Handling | undefined {
  const def = methodOf(protocol, method);
  if (def?.kind !== kind || def.from === self || !Object.hasOwn(handlers, method)) return undefined;
  const handle = handlers[method];
  return handle && { def, handle };
}

function paramsOf(method: string, { params }: MethodDef): Place {
  return { method, part: "params", schema: params };
}

function resultOf(method: string, { result }: RequestDef): Place {
  return { method, part: "result", schema: result };
}

/** True for a notification that the peer may send, whether or not this side has a handler for it. */
function isReceived(protocol: Protocol, self: string, method: string): boolean {
  const def = methodOf(protocol, method);
  return def?.kind === "notification" && def.from !== self;
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
