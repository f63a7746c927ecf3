import { methodsOf, type Protocol, type Reply } from "@editwire/core";

/** The replies to the calls of a protocol. */
export interface ReplyTable {
  /** The reply of a call, by the call's name. */
  readonly byCall: ReadonlyMap<string, Reply>;
  /** The same, by the reply's name. */
  readonly byReply: ReadonlyMap<string, Reply>;
}

/**
 * Reads the table. Throws a `TypeError` for a call without a reply, and for one reply that names its calls by two
 * fields.
 */
export function repliesOf(protocol: Protocol): ReplyTable {
  const byCall = new Map<string, Reply>();
  const byReply = new Map<string, Reply>();
  for (const [name, def] of methodsOf(protocol)) {
    if (def.kind !== "request") continue;
    const { reply } = def;
    if (reply === undefined)
      throw new TypeError(
        `${protocol.name}: the call "${name}": expected a reply: a named message answers each call of a tagged ` +
          "protocol",
      );
    if ((byReply.get(reply.name) ?? reply).by !== reply.by)
      throw new TypeError(`${protocol.name}: the reply "${reply.name}" names its calls by two fields`);
    byCall.set(name, reply);
    byReply.set(reply.name, reply);
  }
  return { byCall, byReply };
}

/**
 * The params with the id of their call under its own name, where they have it under an alias. `undefined` if there is
 * nothing to change.
 */
export function withoutAlias(
  params: Readonly<Record<string, unknown>>,
  { by, aliases = [] }: Reply,
): Record<string, unknown> | undefined {
  if (params[by] !== undefined) return undefined;
  const alias = aliases.find((name) => params[name] !== undefined);
  if (alias === undefined) return undefined;
  const { [alias]: id, ...others } = params;
  return { ...others, [by]: id };
}

/** True for a value that can name a call. */
export function isCallId(id: unknown): id is string | number {
  return (typeof id === "string" && id !== "") || (typeof id === "number" && Number.isFinite(id));
}
