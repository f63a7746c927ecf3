import { type AnySchema, isObject, type JsonSchema, schemaToJson, validatorOf } from "@editwire/core";

/** Values for fields of these names, where any value of the right type would not do. */
export type KnownFields = Readonly<Record<string, unknown>>;

/**
 * The smallest value that fits a schema: its required fields, and the first choice where there are several. Fields of
 * `known` names are taken from there. Throws a `TypeError` for a schema that wants more than JSON Schema can say;
 * `known` has to help then.
 */
export function sampleOf(schema: AnySchema, known: KnownFields = {}): unknown {
  const sample = valueOf(schemaToJson(schema), known);
  const validator = validatorOf(schema);
  if (validator.fits(sample)) return sample;
  const problems = validator.issues(sample, "value").map(({ path, message }) => `${path}: ${message}`);
  throw new TypeError(`the sample is not valid: ${problems.join(", ")}`);
}

function valueOf(schema: JsonSchema, known: KnownFields): unknown {
  if ("const" in schema) return schema["const"];
  for (const key of ["enum", "anyOf", "oneOf"]) {
    const choices: unknown = schema[key];
    if (!Array.isArray(choices)) continue;
    const [first] = choices as unknown[];
    return key !== "enum" && isObject(first) ? valueOf(first, known) : first;
  }
  const { type } = schema;
  switch (Array.isArray(type) ? type[0] : type) {
    case "object":
      return objectOf(schema, known);
    case "array":
      return [];
    case "string":
      return "text";
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return {};
  }
}

function objectOf(schema: JsonSchema, known: KnownFields): Record<string, unknown> {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? (schema["required"] as string[]) : [];
  return Object.fromEntries(
    required.map((key) => {
      const field = properties[key];
      return [key, Object.hasOwn(known, key) ? known[key] : valueOf(isObject(field) ? field : {}, known)];
    }),
  );
}
