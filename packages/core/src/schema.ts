import * as z from "zod/mini";
import { type AnySchema, compiledSchema } from "./compile.js";
import { inWords } from "./issue-words.js";
import { Recent } from "./recent.js";

/** A zod schema seen only through its type: input and output are one, so parsing and writing again is lossless. */
export type Schema<T> = z.ZodMiniType<T, T>;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** A type without its index signature of unknown values. */
type Flat<T> = T extends readonly (infer U)[]
  ? Flat<U>[]
  : T extends object
    ? { [K in keyof T as IsOpen<T, K> extends true ? never : K]: Flat<T[K]> }
    : T;
type IsOpen<T, K extends keyof T> = string extends K ? (unknown extends T[K] ? true : false) : false;

/**
 * Pins a schema to a hand-written interface: a drift in either direction is a compile error at the schema. A loose
 * object's index signature is ignored, so that the interface does not need one. The schema may be made with `zod` or
 * with `zod/mini`, which is a fifth of the size.
 */
export function schemaFor<T>(): <S extends AnySchema>(
  schema: Same<Flat<z.output<S>>, Flat<T>> extends true ? S : { readonly "schema and interface differ": z.output<S> },
) => Schema<T> {
  return (schema) => schema as never;
}

/**
 * The type of a tag that this version does not know: any string at run time. Comparing it with a known tag narrows it
 * away, which TypeScript does for a template type and not for `string`.
 */
export type UnknownTag = `(unknown) ${string}`;

interface OpenUnion {
  readonly tag: string;
  readonly variants: Readonly<Record<string, AnySchema>>;
  /** The schema of values with an unknown tag. Absent: only the tag is checked. */
  readonly others?: AnySchema | undefined;
}

const openUnions = new WeakMap<AnySchema, OpenUnion>();

/** The variants of a union made by `openUnion`, for JSON Schema and generated cases. */
export function openUnionOf(schema: AnySchema): OpenUnion | undefined {
  return openUnions.get(schema);
}

/**
 * A union whose variants are distinguished by one string field, the tag. A value with a known tag is checked against
 * its variant only. A value with an unknown tag passes unchanged, unless `unknown` refuses it: a function refuses tags,
 * and a schema has what all variants share. Default: every tag is accepted.
 */
export function openUnion<T>(
  tag: string,
  variants: Readonly<Record<string, AnySchema>>,
  unknown: ((tag: string) => boolean) | AnySchema = () => true,
): Schema<T> {
  const others = typeof unknown === "function" ? undefined : unknown;
  const accepts = typeof unknown === "function" ? unknown : () => true;
  const compiled = new Map<string, AnySchema>();
  const recent = new Recent((name): AnySchema | undefined => {
    const known = compiled.get(name);
    if (known !== undefined) return known;
    if (!Object.hasOwn(variants, name)) return others;
    const variant = compiledSchema(variants[name] as AnySchema);
    compiled.set(name, variant);
    return variant;
  });
  const schema = z.unknown().check(({ value, issues }) => {
    if (!isObject(value)) {
      issues.push({ code: "invalid_type", expected: "object", input: value });
      return;
    }
    const found = value[tag];
    if (typeof found !== "string") {
      issues.push({ code: "invalid_type", expected: "string", input: found, path: [tag] });
      return;
    }
    const variant = recent.get(found);
    if (variant === undefined) {
      if (accepts(found)) return;
      issues.push({ code: "invalid_value", values: Object.keys(variants), input: found, path: [tag] });
    } else if (!z.validate(variant, value)) {
      for (const issue of z.safeParse(variant, value, inWords).error?.issues ?? [])
        issues.push({ ...issue, input: value });
    }
  });
  openUnions.set(schema, { tag, variants, others });
  return schema as unknown as Schema<T>;
}

/** True for a JSON object: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
