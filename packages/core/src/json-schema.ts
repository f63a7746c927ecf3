import * as z from "zod/mini";
import { methodsOf, type Protocol, type RequestDef } from "./protocol.js";
import { openUnionOf } from "./schema.js";
import { type AnySchema } from "./compile.js";

/** A JSON Schema document or a part of one. */
export type JsonSchema = { [key: string]: unknown };

/** One protocol as JSON Schema: every method with its sender, kind, params and result. */
export interface ProtocolJsonSchema {
  $schema: string;
  title: string;
  version: string;
  methods: Record<
    string,
    {
      from: string;
      kind: "request" | "notification";
      wire?: string;
      spec?: string;
      params: JsonSchema;
      result?: JsonSchema;
    }
  >;
}

const draft = "https://json-schema.org/draft/2020-12/schema";

/** Writes a protocol's method table as JSON Schema, for other languages and for fuzzing. */
export function toJsonSchema(protocol: Protocol): ProtocolJsonSchema {
  const methods: ProtocolJsonSchema["methods"] = {};
  for (const [name, def] of methodsOf(protocol)) {
    methods[name] = {
      from: def.from,
      kind: def.kind,
      ...(def.wire === undefined ? {} : { wire: def.wire }),
      ...(def.spec === undefined ? {} : { spec: def.spec }),
      ...(def.kind === "request"
        ? { params: named(schemaToJson(def.params), def), result: named(schemaToJson(def.result), def) }
        : { params: schemaToJson(def.params) }),
    };
  }
  return { $schema: draft, title: protocol.name, version: protocol.version, methods };
}

/** Adds the field that the call and the reply of a tagged protocol share. The peer engine sets it. */
function named(json: JsonSchema, { reply }: RequestDef): JsonSchema {
  if (reply === undefined) return json;
  const { properties, required } = json as { properties?: JsonSchema; required?: readonly string[] };
  return {
    ...json,
    type: "object",
    properties: { [reply.by]: { type: "string" }, ...properties },
    required: [reply.by, ...(required ?? [])],
  };
}

/** One schema as JSON Schema; a union made by `openUnion` lists its known variants and admits others. */
export function schemaToJson(schema: AnySchema): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const union = openUnionOf(zodSchema);
      if (union === undefined) return;
      const known = Object.keys(union.variants);
      jsonSchema.anyOf = [
        ...Object.values(union.variants).map((variant) => schemaToJson(variant)),
        unknownVariant(union.others, { [union.tag]: { type: "string", not: { enum: known } } }),
      ];
    },
  });
  return json;
}

interface Fields extends JsonSchema {
  properties?: JsonSchema;
  required?: string[];
}

/** A variant with an unknown tag: what all variants share, or the tag alone. */
function unknownVariant(others: AnySchema | undefined, tag: JsonSchema): JsonSchema {
  const { properties, required, ...json } =
    others === undefined ? { type: "object" } : (schemaToJson(others) as Fields);
  return {
    ...json,
    required: [...new Set([...Object.keys(tag), ...(required ?? [])])],
    properties: { ...properties, ...tag },
  };
}
