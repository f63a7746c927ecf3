import * as z from "zod/mini";
import { type MethodDef, methodsOf, type Protocol } from "./protocol.js";
import type { Place } from "./values.js";

/** A row of a protocol's method table, as a connection uses it for each message. */
export interface Row {
  /** The name in the table. */
  readonly key: string;
  /** The name on the wire. */
  readonly method: string;
  readonly def: MethodDef;
  readonly params: Place;
  /** A notification has no result: its place refuses every value. */
  readonly result: Place;
  /** The row with the same name on the wire and the other kind. */
  other?: Row;
}

/** A name that was just parsed is a new string, which a `Map` finds faster than an object does. */
const tables = new WeakMap<Protocol, ReadonlyMap<string, Row>>();

/** The row of a key, if the protocol has one. */
export function rowOf(protocol: Protocol, key: string): Row | undefined {
  let rows = tables.get(protocol);
  if (rows === undefined) tables.set(protocol, (rows = rowsOf(protocol)));
  return rows.get(key);
}

function rowsOf(protocol: Protocol): ReadonlyMap<string, Row> {
  const rows = new Map(methodsOf(protocol).map(rowEntry));
  for (const row of rows.values()) {
    const first = row.method === row.key ? undefined : rows.get(row.method);
    if (first !== undefined) first.other = row;
  }
  return rows;
}

function rowEntry([key, def]: readonly [string, MethodDef]): [string, Row] {
  const { wire: method = key } = def;
  const params: Place = { method, part: "params", schema: def.params };
  const result: Place = { method, part: "result", schema: def.kind === "request" ? def.result : z.never() };
  return [key, { key, method, def, params, result }];
}
