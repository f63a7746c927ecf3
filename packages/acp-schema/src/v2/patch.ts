import * as z from "zod/mini";
import { type Meta } from "../extensible.js";

/** A field of an upsert: absent leaves it as it is, null clears it, and a value replaces it. */
export type Patch<T> = T | null | undefined;

/** The schema of a field that is a `Patch`. */
export function patch<T>(schema: z.ZodMiniType<T, T>) {
  return z.optional(z.nullable(schema));
}

/**
 * An object that creates something at its first mention and changes it later. A key of `_meta` replaces the one before
 * it, and a key that is null removes it; a `_meta` that is null removes them all.
 */
export interface Upsert {
  [key: string]: unknown;
  _meta?: Patch<Meta>;
}

/** The `_meta` of an `Upsert`. */
export const metaPatch = patch(z.record(z.string(), z.unknown()));

/** A text that may be absent. */
export const text = z.optional(z.string());

/** A text that an upsert replaces or clears. */
export const textPatch = patch(z.string());
