import { isObject } from "@editwire/core";
import type { Definition } from "./official-messages.js";

/**
 * The values that a JSON Schema admits, in a form that two differently written schemas share. Null stands for absent.
 */
export type Shape =
  | { readonly kind: "any" }
  | { readonly kind: "scalar"; readonly text: string }
  | { readonly kind: "array" | "map"; readonly items: Shape }
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, Field> }
  | { readonly kind: "union"; readonly variants: ReadonlyMap<string, Shape> };

interface Field {
  readonly required: boolean;
  readonly shape: Shape;
}

type Defs = Readonly<Record<string, Definition>>;

/** The shape of a schema. */
export function shapeOf(schema: unknown, defs: Defs): Shape {
  const shapes = alternativesOf(schema, defs).flatMap((one) => shapeOfOne(one, defs));
  const [only] = shapes;
  if (only !== undefined && shapes.length === 1) return only;
  if (shapes.length === 0 || shapes.some(({ kind }) => kind === "any")) return { kind: "any" };
  if (shapes.every((shape) => shape.kind === "scalar")) {
    const texts = shapes.map(({ text }) => text);
    // A list of texts that any text may follow says no more than that texts are allowed.
    const open = texts.filter((text) => !text.startsWith("=") || !texts.includes("string"));
    return { kind: "scalar", text: [...new Set(open)].sort().join("|") };
  }
  return { kind: "union", variants: new Map(shapes.map((shape) => [nameOf(shape), shape])) };
}

/** The alternatives of a schema as flat objects: references, `allOf` and nested unions are multiplied out. */
function alternativesOf(schema: unknown, defs: Defs): Definition[] {
  if (!isObject(schema)) return [{}];
  const { $ref, allOf, anyOf, oneOf, type, ...rest } = schema;
  const types = Array.isArray(type) ? type.filter((one) => one !== "null") : [type];
  const own: Definition[] = types.map((one: unknown) => (one === undefined ? rest : { ...rest, type: one }));
  const parts = [
    ...(typeof $ref === "string" ? [$ref.replace("#/$defs/", "")].map((name) => alternativesOf(defs[name], defs)) : []),
    ...(Array.isArray(allOf) ? allOf.map((one) => alternativesOf(one, defs)) : []),
    ...[anyOf, oneOf].flatMap((choices) =>
      Array.isArray(choices)
        ? [choices.flatMap((one) => alternativesOf(one, defs)).filter((one) => one["type"] !== "null")]
        : [],
    ),
  ];
  return parts.reduce<Definition[]>(
    (all, more) => all.flatMap((one) => (more.length === 0 ? [one] : more.map((other) => merged(one, other)))),
    own.filter((one) => one["type"] !== "null"),
  );
}

function merged(one: Definition, other: Definition): Definition {
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
  const fields = (value: unknown): object => (isObject(value) ? value : {});
  const properties = { ...fields(one["properties"]), ...fields(other["properties"]) };
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    required: [...list(one["required"]), ...list(other["required"])],
  };
}

function shapeOfOne(schema: Definition, defs: Defs): Shape[] {
  const { type, properties, required, additionalProperties, items } = schema;
  if ("not" in schema && Object.keys(schema).length === 1) return []; // nothing fits
  if (schema["const"] !== undefined) return [{ kind: "scalar", text: `=${String(schema["const"])}` }];
  if (Array.isArray(schema["enum"])) return schema["enum"].map((one) => ({ kind: "scalar", text: `=${String(one)}` }));
  if (type === "array") return [{ kind: "array", items: shapeOf(items, defs) }];
  if (type === "object" || isObject(properties)) {
    if (isObject(properties) || !isObject(additionalProperties) || Object.keys(additionalProperties).length === 0)
      return [objectShape(isObject(properties) ? properties : {}, Array.isArray(required) ? required : [], defs)];
    return [{ kind: "map", items: shapeOf(additionalProperties, defs) }];
  }
  return typeof type === "string" ? [{ kind: "scalar", text: scalarText(schema, type) }] : [{ kind: "any" }];
}

function objectShape(properties: Record<string, unknown>, required: readonly unknown[], defs: Defs): Shape {
  const fields = Object.entries(properties).filter(
    ([, value]) => !(isObject(value) && isObject(value["not"]) && Object.keys(value).length === 1),
  );
  return {
    kind: "object",
    fields: new Map(
      fields.map(([name, value]) => [name, { required: required.includes(name), shape: shapeOf(value, defs) }]),
    ),
  };
}

/** Bounds that only say which numbers JSON can carry are left out. */
function scalarText(schema: Definition, type: string): string {
  const { minimum, minLength, pattern } = schema;
  const isBound = typeof minimum === "number" && Math.abs(minimum) < Number.MAX_SAFE_INTEGER;
  return [
    type,
    ...(isBound ? [`>=${minimum}`] : []),
    ...(minLength === undefined ? [] : [`length>=${String(minLength)}`]),
    ...(pattern === undefined ? [] : ["pattern"]),
  ].join(" ");
}

/** The name of an alternative: the fields by which it is recognized. */
function nameOf(shape: Shape): string {
  if (shape.kind === "scalar") return shape.text;
  if (shape.kind === "array" || shape.kind === "map") return `${shape.kind} of ${nameOf(shape.items)}`;
  if (shape.kind !== "object") return shape.kind;
  const required = [...shape.fields].filter(([, field]) => field.required);
  const tags = required.flatMap(([name, { shape: tag }]) => (isTag(tag) ? [`${name}${tag.text}`] : []));
  return tags.length > 0
    ? tags.join(" ")
    : required
        .map(([name]) => name)
        .sort()
        .join("+");
}

function isTag(shape: Shape): shape is Shape & { kind: "scalar" } {
  return shape.kind === "scalar" && shape.text.startsWith("=") && !shape.text.includes("|");
}
