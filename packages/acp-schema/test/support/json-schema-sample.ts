import { isObject } from "@editwire/core";
import * as fc from "fast-check";
import type { Definition } from "./official-messages.js";

type Value = fc.Arbitrary<unknown>;
type Record_ = Readonly<Record<string, Value>>;
/** The object form of a schema: its fields, and which of them are required. */
interface Fields {
  readonly required: Record_;
  readonly optional: Record_;
}

/** Values that a JSON Schema admits. `own` has the values of the definitions whose text says more than the schema. */
export function samplesOf(
  schema: unknown,
  defs: Readonly<Record<string, Definition>>,
  own: Readonly<Record<string, Value>>,
): Value {
  const named = new Map<string, Value>();
  const resolved = (reference: string): Definition => defs[reference.replace("#/$defs/", "")] ?? {};

  function valueOf(given: unknown): Value {
    if (!isObject(given)) return fc.jsonValue({ maxDepth: 1 });
    const { $ref, const: constant, anyOf, oneOf, allOf, type, properties, items, not } = given;
    if (typeof $ref === "string") return valueOfNamed($ref.replace("#/$defs/", ""));
    if (constant !== undefined) return fc.constant(constant);
    if (isObject(properties) || (isObject(not) && type === "object")) return objectOf(given);
    const choices = anyOf ?? oneOf;
    if (Array.isArray(choices)) return fc.oneof(...choices.map(valueOf));
    if (Array.isArray(allOf)) return allOf.length === 1 ? valueOf(allOf[0]) : objectOf(given);
    if (Array.isArray(type)) return fc.oneof(...type.map((one: unknown) => valueOf({ ...given, type: one })));
    if (type === "object" && isObject(given["additionalProperties"]))
      return fc.dictionary(fc.string({ maxLength: 5 }), valueOf(given["additionalProperties"]), { maxKeys: 3 });
    if (type === "array") return fc.array(valueOf(items), { minLength: Number(given["minItems"] ?? 0), maxLength: 3 });
    return scalarOf(given);
  }

  function valueOfNamed(name: string): Value {
    const value = own[name] ?? named.get(name) ?? valueOf(resolved(name));
    named.set(name, value);
    return value;
  }

  function objectOf(given: Definition): Value {
    return fieldsOf(given).chain(({ required, optional }) =>
      fc.record({ ...optional, ...required }, { requiredKeys: Object.keys(required) }),
    );
  }

  /** One of the alternatives of an object, multiplied out. A tag that is not known gets a word of no protocol. */
  function fieldsOf(given: unknown): fc.Arbitrary<Fields> {
    if (!isObject(given)) return fc.constant({ required: {}, optional: {} });
    const { $ref, anyOf, oneOf, allOf, properties, required = [], not } = given;
    if (typeof $ref === "string") return fieldsOf(resolved($ref));
    const demanded = Array.isArray(required) ? required : [];
    const entries = Object.entries(isObject(properties) ? properties : {});
    const part = (isRequired: boolean): Record_ =>
      Object.fromEntries(
        entries
          .filter(([name]) => demanded.includes(name) === isRequired)
          .map(([name, value]) => [
            name,
            isObject(not) && isRequired && isTag(value) ? fc.constantFrom("_acme/word", "future_word") : valueOf(value),
          ]),
      );
    const parts = [
      ...(Array.isArray(allOf) ? allOf.map(fieldsOf) : []),
      ...[anyOf, oneOf].flatMap((choices) => (Array.isArray(choices) ? [fc.oneof(...choices.map(fieldsOf))] : [])),
    ];
    return fc.tuple(...parts).map((all) => ({
      required: Object.assign({}, part(true), ...all.map((one) => one.required)) as Record_,
      optional: Object.assign({}, part(false), ...all.map((one) => one.optional)) as Record_,
    }));
  }

  return valueOf(schema);
}

function isTag(value: unknown): boolean {
  return isObject(value) && value["type"] === "string" && value["const"] === undefined;
}

function scalarOf({ type, minimum, maximum, minLength, maxLength, enum: words }: Definition): Value {
  if (Array.isArray(words)) return fc.constantFrom(...(words as unknown[]));
  const [min, max] = [Number(minimum ?? -1000), Number(maximum ?? 1000)];
  switch (type) {
    case "string":
      return fc.string({ minLength: Number(minLength ?? 0), maxLength: Number(maxLength ?? 20) });
    case "integer":
      return fc.integer({ min, max });
    case "number":
      return fc.double({ min, max, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "object":
      return fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 });
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}
