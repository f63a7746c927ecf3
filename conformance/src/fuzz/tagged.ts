import { isObject } from "@editwire/core";
import * as fc from "fast-check";
import { hostile } from "./arbitrary.js";
import { changedMethods, type Sender } from "./messages.js";
import type { FuzzStep } from "./suite.js";

/** Messages that a role may send in envelopes that name the message. */
export interface TaggedSender extends Sender {
  /** The field of the envelope that has the name, such as `type`. */
  readonly tag: string;
  /** The field that has the params, such as `data`. */
  readonly body: string;
  /** Params that stand beside the name and not in the body. */
  readonly beside: readonly string[];
}

/** Messages of each kind of a role: valid params with some changes, in an envelope with at most one. */
export function taggedMessages(sender: TaggedSender): fc.Arbitrary<FuzzStep>[] {
  return changedMethods(sender).map(({ method, params }) => {
    const right = params.map((value) => wrapped(method, value, sender));
    const wrong = right.chain((message) => brokenEnvelope(message, sender));
    return fc.oneof({ weight: 4, arbitrary: right }, wrong).map((message) => ({ do: "message", message }));
  });
}

type Json = Record<string, unknown>;

function wrapped(method: string, params: unknown, { tag, body, beside }: TaggedSender): Json {
  if (!isObject(params)) return { [tag]: method, [body]: params };
  const fields = Object.entries(params);
  const outside = fields.filter(([name]) => beside.includes(name));
  return {
    ...Object.fromEntries(outside),
    [tag]: method,
    [body]: Object.fromEntries(fields.filter(([name]) => !beside.includes(name))),
  };
}

/** Envelopes that are wrong, or unusual. */
function brokenEnvelope(message: Json, { tag, body, beside }: TaggedSender): fc.Arbitrary<unknown> {
  const { [tag]: name, [body]: params, ...rest } = message;
  const bodies = hostile.map((value) => ({ ...message, [body]: value }));
  const roots = fc
    .tuple(fc.constantFrom("timestamp", "id", "version", ...beside), hostile)
    .map(([field, value]) => ({ ...message, [field]: value }));
  const others = fc.constantFrom<unknown>(
    { ...rest, [body]: params },
    { ...rest, [tag]: name },
    { ...rest, [tag]: 7, [body]: params },
    { ...rest, [tag]: `${String(name)} `, [body]: params },
    { ...rest, [tag]: "constructor", [body]: params },
    { ...rest, kind: name, [body]: params },
    { ...rest, [tag]: name, ...(isObject(params) && params) },
    [message],
    JSON.stringify(message),
  );
  return fc.oneof(bodies, roots, others);
}
