import * as z from "zod/mini";
import { type MethodDef, methodsOf, type Protocol } from "./protocol.js";
import type { Place } from "./values.js";

/** A row of a protocol's method table, as a connection uses it for each message. */
export interface Row {
  readonly method: string;
  readonly def: MethodDef;
  readonly params: Place;
  /** A notification has no result: its place refuses every value. */
  readonly result: Place;
}

/** A name that was just parsed is a new string, which a `Map` finds faster than an object does. */
const tables = new WeakMap<Protocol, ReadonlyMap<string, Row>>();

/** The row of a wire name, if the protocol has one. */
export function rowOf(protocol: Protocol, method: string): Row | undefined {
  let rows = tables.get(protocol);
  if (rows === undefined) tables.set(protocol, (rows = new Map(methodsOf(protocol).map(rowEntry))));
  return rows.get(method);
}

function rowEntry([method, def]: readonly [string, MethodDef]): [string, Row] {
  const params: Place = { method, part: "params", schema: def.params };
  const result: Place = { method, part: "result", schema: def.kind === "request" ? def.result : z.never() };
  return [method, { method, def, params, result }];
}
