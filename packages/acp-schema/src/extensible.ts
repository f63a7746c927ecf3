import * as z from "zod/mini";

/** Data that the protocol does not know, on any object of it; keys of vendors are namespaced, such as `acme/trace`. */
export type Meta = Record<string, unknown>;

/** Fields that every object of the protocol allows: `_meta`, and unknown fields, which are kept. */
export interface Extensible {
  [key: string]: unknown;
  _meta?: Meta | undefined;
}

/** The `_meta` of every schema. */
export const meta = z.optional(z.record(z.string(), z.unknown()));

/** A whole number from 0 on. */
export const count = z.int().check(z.gte(0));
