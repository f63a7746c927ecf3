import * as z from "zod/mini";

/** What every message allows: fields that this version does not know; they survive. */
export interface Extensible {
  [key: string]: unknown;
}

/** An id: any string but the empty one. */
export const id = z.string().check(z.minLength(1, { error: "expected an id, received an empty string" }));
