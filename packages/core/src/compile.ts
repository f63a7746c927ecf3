import * as z from "zod/mini";

/**
 * The schema with a parser that zod generates as code, which is faster. In a page it is the schema itself: a strict
 * Content-Security-Policy refuses generated code and reports each attempt. So it is after
 * `z.config({ jitless: true })`.
 */
export function compiledSchema(schema: AnySchema): AnySchema {
  const { process: host }: { process?: { versions?: { node?: string } } } = globalThis;
  return host?.versions?.node === undefined || z.config().jitless === true ? schema : z.compile(schema);
}

/** A schema of `zod` or of `zod/mini`. */
export type AnySchema = z.core.$ZodType;
