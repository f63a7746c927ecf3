import { isObject, type JsonSchema } from "@editwire/core";
import * as fc from "fast-check";

/** Arbitraries for fields of certain names, in place of what their schema allows. */
export type Known = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Values that fit a JSON Schema as far as its types go. Fields of `known` names are taken from there. */
export function valueOf(schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  if ("const" in schema) return fc.constant(schema["const"]);
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...(schema["enum"] as unknown[]));
  for (const key of ["anyOf", "oneOf"]) {
    const options = schema[key];
    if (Array.isArray(options)) return fc.oneof(...(options as JsonSchema[]).map((option) => valueOf(option, known)));
  }
  switch (schema["type"]) {
    case "object":
      return objectOf(schema, known);
    case "array":
      return fc.array(valueOf(isObject(schema["items"]) ? schema["items"] : {}, known), { maxLength: 3 });
    case "string":
      return fc.string({ minLength: 1, maxLength: 20 });
    case "integer":
      return fc.integer({ min: 0, max: 100 });
    case "number":
      return fc.integer();
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function objectOf(schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? (schema["required"] as string[]) : [];
  const fields = Object.entries(properties)
    .filter(([key]) => key !== "_meta")
    .map(
      ([key, field]) => [key, Object.hasOwn(known, key) ? known[key] : valueOf(field as JsonSchema, known)] as const,
    );
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: required.filter((key) => Object.hasOwn(properties, key)),
  });
}

/** Values that break code which does not expect them. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    1e308,
    "",
    "\u0000",
    "\ud800",
    "../../..",
    "__proto__",
    "x".repeat(5_000),
    [],
    {},
    [[]],
    [null],
  ),
  fc.constant(JSON.parse('{"__proto__":{"polluted":true}}') as unknown),
  fc.jsonValue({ maxDepth: 2 }),
);

/** One change to a JSON value, at the place that a number picks. */
export interface Mutation {
  readonly at: number;
  readonly op: "drop" | "replace" | "wrap" | "add";
  readonly value: unknown;
}

/** Any change. */
export const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat({ max: 40 }),
  op: fc.constantFrom("drop", "replace", "wrap", "add"),
  value: hostile,
});

/** The value with one change made to it; the value itself stays as it is. */
export function mutate(value: unknown, { at, op, value: other }: Mutation): unknown {
  const places = placesOf(value);
  const path = places[at % places.length] ?? [];
  return change(value, path, (old) => {
    if (op === "replace") return other;
    if (op === "wrap") return [old];
    if (op === "add")
      return isObject(old) ? { ...old, extra: other } : Array.isArray(old) ? [...(old as unknown[]), other] : other;
    return undefined;
  });
}

type Path = readonly (string | number)[];

function placesOf(value: unknown): Path[] {
  const children: (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : isObject(value)
      ? Object.entries(value)
      : [];
  return [[], ...children.flatMap(([key, child]) => placesOf(child).map((path) => [key, ...path]))];
}

/** `undefined` in place of a value leaves it out. */
function change(value: unknown, [key, ...rest]: Path, how: (old: unknown) => unknown): unknown {
  if (key === undefined) return how(value);
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => (index === key ? (change(item, rest, how) ?? []) : [item]));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name === key ? change(item, rest, how) : item]),
  );
}
