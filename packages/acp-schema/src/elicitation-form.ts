import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { count, type Extensible, meta } from "./extensible.js";

interface PropertyBase extends Extensible {
  title?: string | undefined;
  description?: string | undefined;
}

const text = z.optional(z.string());
const base = { title: text, description: text, _meta: meta };

/** A choice with a text for the user. */
export interface TitledChoice extends Extensible {
  const: string;
  title: string;
  description?: string | undefined;
}
export const TitledChoice = schemaFor<TitledChoice>()(
  z.looseObject({ const: z.string(), title: z.string(), description: text, _meta: meta }),
);

/** A text, or one of several. */
export interface StringProperty extends PropertyBase {
  type: "string";
  minLength?: number | undefined;
  maxLength?: number | undefined;
  pattern?: string | undefined;
  format?: "email" | "uri" | "date" | "date-time" | undefined;
  default?: string | undefined;
  enum?: string[] | undefined;
  oneOf?: TitledChoice[] | undefined;
}
export const StringProperty = schemaFor<StringProperty>()(
  z.looseObject({
    type: z.literal("string"),
    ...base,
    minLength: z.optional(count),
    maxLength: z.optional(count),
    pattern: text,
    format: z.optional(z.enum(["email", "uri", "date", "date-time"])),
    default: text,
    enum: z.optional(z.array(z.string())),
    oneOf: z.optional(z.array(TitledChoice)),
  }),
);

/** A number. */
export interface NumberProperty extends PropertyBase {
  type: "number";
  minimum?: number | undefined;
  maximum?: number | undefined;
  default?: number | undefined;
}
const number = z.optional(z.number());
export const NumberProperty = schemaFor<NumberProperty>()(
  z.looseObject({ type: z.literal("number"), ...base, minimum: number, maximum: number, default: number }),
);

/** A whole number. */
export interface IntegerProperty extends PropertyBase {
  type: "integer";
  minimum?: number | undefined;
  maximum?: number | undefined;
  default?: number | undefined;
}
const integer = z.optional(z.int());
export const IntegerProperty = schemaFor<IntegerProperty>()(
  z.looseObject({ type: z.literal("integer"), ...base, minimum: integer, maximum: integer, default: integer }),
);

/** Yes or no. */
export interface BooleanProperty extends PropertyBase {
  type: "boolean";
  default?: boolean | undefined;
}
export const BooleanProperty = schemaFor<BooleanProperty>()(
  z.looseObject({ type: z.literal("boolean"), ...base, default: z.optional(z.boolean()) }),
);

/** The choices of a `MultiSelectProperty`: plain texts. */
export interface PlainItems extends Extensible {
  type: "string";
  enum: string[];
}

/** The choices of a `MultiSelectProperty`: with texts for the user. */
export interface TitledItems extends Extensible {
  type?: undefined;
  anyOf: TitledChoice[];
}

/** Choices of a type that this version does not know. */
export interface UnknownItems extends Extensible {
  type: UnknownTag;
}

const items = z.union([
  openUnion<PlainItems | UnknownItems>("type", {
    string: z.looseObject({ type: z.literal("string"), enum: z.array(z.string()), _meta: meta }),
  }),
  z.looseObject({ type: z.optional(z.never()), anyOf: z.array(TitledChoice), _meta: meta }),
]);

/** Some of several texts. */
export interface MultiSelectProperty extends PropertyBase {
  type: "array";
  minItems?: number | undefined;
  maxItems?: number | undefined;
  items: PlainItems | TitledItems | UnknownItems;
  default?: string[] | undefined;
}
export const MultiSelectProperty = schemaFor<MultiSelectProperty>()(
  z.looseObject({
    type: z.literal("array"),
    ...base,
    minItems: z.optional(count),
    maxItems: z.optional(count),
    items,
    default: z.optional(z.array(z.string())),
  }),
);

/** A field of a type that this version does not know. */
export interface UnknownProperty extends Extensible {
  type: UnknownTag;
}

/** One field of a form. */
export type ElicitationProperty =
  | StringProperty
  | NumberProperty
  | IntegerProperty
  | BooleanProperty
  | MultiSelectProperty
  | UnknownProperty;
export const ElicitationProperty = openUnion<ElicitationProperty>("type", {
  string: StringProperty,
  number: NumberProperty,
  integer: IntegerProperty,
  boolean: BooleanProperty,
  array: MultiSelectProperty,
});

/** The fields of a form, as a JSON Schema of an object. */
export interface ElicitationSchema extends Extensible {
  type?: "object" | undefined;
  title?: string | undefined;
  description?: string | undefined;
  properties?: Record<string, ElicitationProperty> | undefined;
  /** The names of the fields that must be filled in. */
  required?: string[] | undefined;
}
export const ElicitationSchema = schemaFor<ElicitationSchema>()(
  z.looseObject({
    type: z.optional(z.literal("object")),
    ...base,
    properties: z.optional(z.record(z.string(), ElicitationProperty)),
    required: z.optional(z.array(z.string())),
  }),
);
