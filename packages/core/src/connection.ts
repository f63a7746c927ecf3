import { describeIssues, type Issue, RemoteError, WireError } from "./errors.js";
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
import { deviationsOf, type Part, type Profile, repair, rewrite } from "./profile.js";
import { type MethodDef, methodOf, type Protocol } from "./protocol.js";
import { isObject } from "./schema.js";
import { traced } from "./traced.js";
import { validatorOf } from "./validate.js";

/** How a connection reads and reports. */
export interface ConnectOptions {
  /** The dialect to speak. Default: the model as it stands, with nothing forgiven. */
  profile?: Profile | undefined;
  /** Refuse what the deviations table would repair. Default false. */
  strict?: boolean | undefined;
  /** Called with every repair. */
  onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
  /** Called with what the peer does not get to see: errors of handlers, and values of this side that do not fit. */
  onError?: ((error: unknown, method: string | undefined) => void) | undefined;
}

type Handle = (params: unknown, context: HandlerContext) => unknown;

/**
 * Binds one role of a protocol to a peer engine: every call and every handler is typed and validated, both ways.
 * A request that nobody here handles is answered -32601, one whose params do not fit -32602 with the issues.
 */
export function connect<P extends Protocol, Self extends RoleOf<P>>(
  protocol: P,
  self: Self,
  peer: Peer,
  handlers: Handlers<P, Self>,
  options: ConnectOptions = {},
): Connection<P, Self> {
  const { strict = false, profile = { name: protocol.name }, onError = () => {}, onDiagnostic = () => {} } = options;
  const { session } = protocol;

  /** A value of this side: valid first, then in the dialect's form. */
  const outgoing = (method: string, part: Part, schema: MethodDef["params"], value: unknown): unknown => {
    const validator = validatorOf(schema);
    if (!validator.fits(value)) throw invalid(part, method, validator.issues(value, part));
    return rewrite(profile.encode, method, part, value);
  };

  /** A value of the peer's: read from its dialect, and repaired only where it does not fit. */
  const incoming = (method: string, part: Part, schema: MethodDef["params"], raw: unknown): unknown => {
    let value = rewrite(profile.decode, method, part, raw);
    if (strict) {
      const rows = deviationsOf(profile, method, part, value);
      if (rows.length > 0)
        throw invalid(
          part,
          method,
          rows.map(({ id, summary }) => ({ path: part, message: `${id}: ${summary}` })),
        );
    }
    const validator = validatorOf(schema);
    if (validator.fits(value)) return value;
    if (!strict) value = repair(profile, method, part, value, onDiagnostic);
    if (!validator.fits(value)) throw invalid(part, method, validator.issues(value, part));
    return value;
  };

  const sending = (kind: MethodDef["kind"], method: string): MethodDef => {
    const def = methodOf(protocol, method);
    if (def?.kind === kind && (def.from === self || def.from === "both")) return def;
    throw new WireError("invalid_params", `${method}: not a ${kind} that the ${self} of ${protocol.name} sends`);
  };

  const receiving = (kind: MethodDef["kind"], method: string): { def: MethodDef; handle: Handle } | undefined => {
    const def = methodOf(protocol, method);
    if (def?.kind !== kind || def.from === self || !Object.hasOwn(handlers, method)) return undefined;
    const handle = (handlers as Record<string, Handle | undefined>)[method];
    return handle && { def, handle };
  };

  peer.serve({
    async request(method, params, context) {
      const found = receiving("request", method);
      if (found === undefined || found.def.kind !== "request") throw RemoteError.methodNotFound(method);
      const result = await found.handle(
        asReceived(() => incoming(method, "params", found.def.params, params ?? {})),
        context,
      );
      return outgoing(method, "result", found.def.result, result);
    },
    notification(method, params, context) {
      const found = receiving("notification", method);
      if (found !== undefined)
        return found.handle(
          incoming(method, "params", found.def.params, params ?? {}),
          context,
        ) as void | Promise<void>;
    },
    session: (_method, params) => sessionOf(session, params),
    diagnostic: onDiagnostic,
    error: onError,
  });

  return {
    async request<N extends RequestName<P, Self>>(
      method: N,
      params: ParamsOf<P, N>,
      callOptions?: CallOptions,
    ): Promise<ResultOf<P, N>> {
      const def = sending("request", method) as MethodDef & { kind: "request" };
      const value = outgoing(method, "params", def.params, params);
      let result: unknown;
      try {
        result = await peer.request(method, value, callOptions);
      } catch (error) {
        throw traced(error);
      }
      return incoming(method, "result", def.result, result ?? {}) as ResultOf<P, N>;
    },
    notify<N extends NotificationName<P, Self>>(method: N, params: ParamsOf<P, N>): void | Promise<void> {
      const def = sending("notification", method);
      return peer.notify(method, outgoing(method, "params", def.params, params));
    },
    close: () => peer.close(),
    closed: peer.closed,
  };
}

function invalid(part: Part, method: string, issues: Issue[]): WireError {
  return new WireError(part === "params" ? "invalid_params" : "invalid_result", describeIssues(method, issues), {
    data: issues,
  });
}

/** The peer's invalid params are the peer's error: it gets the issues with -32602. */
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
