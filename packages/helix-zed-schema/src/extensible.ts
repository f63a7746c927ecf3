import * as z from "zod/mini";

/** Unknown fields, which every message allows and which are kept. */
export interface Extensible {
  [key: string]: unknown;
}

/** An id: any string but the empty one. */
export const id = z.string().check(z.minLength(1, { error: "expected an id, received an empty string" }));
