import * as z from "zod/mini";

/** An id that the client or the server made: 1 to 255 characters. */
export const id = z
  .string()
  .check(
    z.minLength(1, { error: "expected an id, received an empty string" }),
    z.maxLength(255, { error: "expected an id of at most 255 characters" }),
  );

/** A time as in RFC 3339, such as `2025-12-24T10:30:00Z`; offsets and fractions of a second are allowed. */
export const timestamp = z.string().check(
  z.regex(/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:?\d\d)$/, {
    error: "expected a time as in RFC 3339, such as 2025-12-24T10:30:00Z",
  }),
);

/** A whole number from 0 on. */
export const count = z.int().check(z.minimum(0));

/** An object of any content. */
export const anyObject = z.record(z.string(), z.unknown());

/** A text of one of these, or of any other: later servers have more. */
export type Open<Known extends string> = Known | (string & {});

/** The schema of such a text. */
export function openText<Known extends string>(): z.ZodMiniType<Open<Known>, Open<Known>> {
  return z.string() as never;
}
