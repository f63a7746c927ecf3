import * as z from "zod/mini";

/** Unknown fields, which every message allows and which are kept. */
export interface Extensible {
  [key: string]: unknown;
}

/** A text that is not empty. */
export const filled = z.string().check(z.minLength(1, { error: "expected a text, received an empty string" }));

/** A whole number from 0 on. */
export const count = z.int().check(z.gte(0));

/** A whole number from 1 on. */
export const positive = z.int().check(z.gte(1));

/** Milliseconds since 1970. */
export const milliseconds = z.number();
