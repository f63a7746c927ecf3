import { type Shape, shapeOf } from "./json-schema-shape.js";
import type { Definition } from "./official-messages.js";

/** The differences between two JSON Schemas, field by field: `.path: what differs`. */
export function differencesOf(ours: unknown, theirs: unknown, defs: Readonly<Record<string, Definition>>): string[] {
  return compare("", shapeOf(ours, {}), shapeOf(theirs, defs));
}

function compare(path: string, ours: Shape, theirs: Shape): string[] {
  if (ours.kind !== theirs.kind) return [`${path}: ${ours.kind} here, ${theirs.kind} there`];
  switch (ours.kind) {
    case "any":
      return [];
    case "scalar":
      return theirs.kind === "scalar" && ours.text !== theirs.text
        ? [`${path}: ${ours.text} here, ${theirs.text} there`]
        : [];
    case "array":
    case "map":
      return theirs.kind === ours.kind
        ? compare(`${path}${ours.kind === "map" ? ".*" : "[]"}`, ours.items, theirs.items)
        : [];
    case "object":
      return theirs.kind === "object" ? compareFields(path, ours, theirs) : [];
    case "union":
      return theirs.kind === "union" ? compareVariants(path, ours, theirs) : [];
  }
}

function compareFields(path: string, ours: Shape & { kind: "object" }, theirs: Shape & { kind: "object" }): string[] {
  return keysOf(ours.fields, theirs.fields).flatMap((name) => {
    const [here, there] = [ours.fields.get(name), theirs.fields.get(name)];
    const at = `${path}.${name}`;
    if (here === undefined || there === undefined) return [`${at}: only ${here === undefined ? "there" : "here"}`];
    const demand = (required: boolean): string => (required ? "required" : "optional");
    const differs = here.required !== there.required;
    return [
      ...(differs ? [`${at}: ${demand(here.required)} here, ${demand(there.required)} there`] : []),
      ...compare(at, here.shape, there.shape),
    ];
  });
}

function compareVariants(path: string, ours: Shape & { kind: "union" }, theirs: Shape & { kind: "union" }): string[] {
  return keysOf(ours.variants, theirs.variants).flatMap((name) => {
    const [here, there] = [ours.variants.get(name), theirs.variants.get(name)];
    const at = `${path}<${name}>`;
    if (here === undefined || there === undefined) return [`${at}: only ${here === undefined ? "there" : "here"}`];
    return compare(at, here, there);
  });
}

function keysOf(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].sort();
}
