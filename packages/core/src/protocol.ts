import type * as z from "zod/mini";
import type { Schema } from "./schema.js";

/**
 * A schema whose input and output are one type. The type is read from the schema: to infer it from `Schema<T>` adds
 * `undefined` in programs without `exactOptionalPropertyTypes`.
 */
type OfOneType<S extends AnyZod> = S & { readonly _zod: { readonly input: z.output<S> } };

/** A schema of any copy of zod 4. The types of zod name its minor version, so those of another one would not fit. */
interface AnyZod {
  readonly _zod: { readonly input: unknown; readonly output: unknown };
}

/** One end of a protocol, or `"both"` in a definition. */
export type Role = string;

interface MethodBase<From extends Role, P> {
  /** The role that sends it, or `"both"`. */
  readonly from: From;
  /**
   * The name on the wire, for the second of two rows that share one: a request and a notification. Default: the key of
   * the row.
   */
  readonly wire?: string | undefined;
  readonly params: Schema<P>;
  /** Anchor in the protocol's specification; used in docs, errors and conformance reports. */
  readonly spec?: string | undefined;
  /**
   * The capability that the receiver must have declared in the handshake, as a path such as `sessionCapabilities.list`.
   * Absent: none.
   */
  readonly capability?: string | undefined;
}

/** A message that is answered by exactly one result or error. */
export interface RequestDef<From extends Role = Role, P = unknown, R = unknown, Optional extends boolean = boolean>
  extends MethodBase<From, P> {
  readonly kind: "request";
  readonly result: Schema<R>;
  /** An optional request needs no handler; without one, the peer receives "method not found". */
  readonly optional?: Optional | undefined;
  /** Tagged protocols: the message that answers this one, and the field that both contain. */
  readonly reply?: Reply | undefined;
}

/**
 * The reply to a call of a tagged protocol: the message `name`, matched by the field `by`. The peer engine sets and
 * reads that field, as it does with the id of JSON-RPC, so the schemas of the call do not have it.
 */
export interface Reply {
  readonly name: string;
  readonly by: string;
  /** Other names of `by` that are read. A message with one is reported, and refused in strict mode. */
  readonly aliases?: readonly string[] | undefined;
}

/** A message without an answer. */
export interface NotificationDef<From extends Role = Role, P = unknown> extends MethodBase<From, P> {
  readonly kind: "notification";
}

/** Any entry of a method table. */
export type MethodDef = RequestDef<Role, unknown, unknown> | NotificationDef<Role, unknown>;
/** A method table, written so that an interface satisfies it. */
export type Methods<M> = { readonly [K in keyof M]: MethodDef };

/** A protocol, declared once: typed calls and handlers, validators, docs and conformance cases derive from it. */
export interface Protocol<Roles extends Role = Role, M = unknown> {
  readonly name: string;
  /** The version of the protocol, not of the package. */
  readonly version: string;
  readonly roles: readonly [Roles, Roles];
  readonly methods: M;
  /** The params field that names a session: messages of one session are handled in order, sessions in parallel. */
  readonly session?: string | undefined;
}

/** Declares a message that is answered by exactly one result or error. */
export function request<
  const From extends Role,
  P extends AnyZod,
  R extends AnyZod,
  const Optional extends boolean = false,
>(
  def: Omit<RequestDef<From, unknown, unknown, Optional>, "kind" | "params" | "result"> & {
    readonly params: OfOneType<P>;
    readonly result: OfOneType<R>;
  },
): RequestDef<From, z.output<P>, z.output<R>, Optional> {
  return { kind: "request", ...def } as never;
}

/** Declares a message without an answer. */
export function notification<const From extends Role, P extends AnyZod>(
  def: Omit<NotificationDef<From>, "kind" | "params"> & { readonly params: OfOneType<P> },
): NotificationDef<From, z.output<P>> {
  return { kind: "notification", ...def } as never;
}

/**
 * Checks a protocol's declaration and returns it. Throws a `TypeError` for a method sent by a role that it lacks, and
 * for a schema that is not of zod 4: `zod` 3 has those at `zod/v4`. The copy of zod need not be that of this package.
 */
export function defineProtocol<const Roles extends Role, M extends Methods<M>>(
  protocol: Protocol<Roles, M>,
): Protocol<Roles, M> {
  for (const [name, def] of methodsOf(protocol)) {
    const { from } = def;
    checkSchema(protocol.name, `${name} params`, def.params);
    if (def.kind === "request") checkSchema(protocol.name, `${name} result`, def.result);
    if (from !== "both" && !protocol.roles.includes(from as Roles)) {
      throw new TypeError(`${protocol.name}: method "${name}" is sent by the unknown role "${from}"`);
    }
  }
  return protocol;
}

/** Schemas are recognized by their parts, not by their class: a program may have several copies of zod. */
function checkSchema(protocol: string, place: string, schema: unknown): void {
  if (typeof schema === "object" && schema !== null && "_zod" in schema) return;
  throw new TypeError(`${protocol}: ${place}: expected a schema of zod 4 (zod/v4 in zod 3)`);
}

/** The method table as pairs of wire name and definition. */
export function methodsOf(protocol: Protocol): readonly (readonly [string, MethodDef])[] {
  return Object.entries(protocol.methods as Record<string, MethodDef>);
}

/** One definition by wire name. A name inherited from `Object.prototype` is not a method. */
export function methodOf(protocol: Protocol, name: string): MethodDef | undefined {
  const methods = protocol.methods as Record<string, MethodDef>;
  return Object.hasOwn(methods, name) ? methods[name] : undefined;
}
