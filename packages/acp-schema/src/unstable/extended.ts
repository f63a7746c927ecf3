import type { Schema } from "@editwire/core";
import * as z from "zod/mini";

/** A type with some of its fields replaced. Unknown fields stay allowed. */
export type Replace<T, R> = { [K in keyof T as K extends keyof R ? never : K]: T[K] } & R;

/** The schemas of some fields of `T`, each of exactly the field's type. */
type FieldsOf<T, S> = { readonly [K in keyof S]: K extends keyof T ? z.ZodMiniType<T[K], T[K]> : never };

/** A stable schema of an object with further fields, or with fields that admit more. */
export function extended<T>(): <B, S extends z.core.$ZodLooseShape & FieldsOf<T, S>>(
  base: Schema<B>,
  fields: S,
) => Schema<T> {
  return (base, fields) => z.extend(base as unknown as z.ZodMiniObject, fields) as unknown as Schema<T>;
}
