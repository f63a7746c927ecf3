import { methodsOf, type Protocol, type Reply } from "@editwire/core";

/** The replies to the calls of a protocol. */
export interface ReplyTable {
  /** The reply of a call, by the call's name. */
  readonly byCall: ReadonlyMap<string, Reply>;
  /** The fields by which a reply names its call, by the reply's name. */
  readonly byReply: ReadonlyMap<string, string>;
}

/**
 * Reads the table. Throws a `TypeError` for a call without a reply, and for one reply that names its calls by two
 * fields.
 */
export function repliesOf(protocol: Protocol): ReplyTable {
  const byCall = new Map<string, Reply>();
  const byReply = new Map<string, string>();
  for (const [name, def] of methodsOf(protocol)) {
    if (def.kind !== "request") continue;
    const { reply } = def;
    if (reply === undefined)
      throw new TypeError(
        `${protocol.name}: the call "${name}": expected a reply: a named message answers each call of a tagged protocol`,
      );
    if ((byReply.get(reply.name) ?? reply.by) !== reply.by)
      throw new TypeError(`${protocol.name}: the reply "${reply.name}" names its calls by two fields`);
    byCall.set(name, reply);
    byReply.set(reply.name, reply.by);
  }
  return { byCall, byReply };
}

/** True for a value that can name a call. */
export function isCallId(id: unknown): id is string | number {
  return (typeof id === "string" && id !== "") || (typeof id === "number" && Number.isFinite(id));
}
