import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

/** One valid or invalid message, in a form that any language can read. */
export interface Vector {
  /** `<file>/<name>`. */
  readonly id: string;
  readonly req: string;
  readonly method: string;
  readonly part: "params" | "result";
  readonly valid: boolean;
  readonly value: unknown;
  readonly note?: string | undefined;
}

const VectorFile = z.strictObject({
  /** The method and the part of all vectors in the file. */
  method: z.string(),
  part: z.enum(["params", "result"]),
  req: z.string(),
  vectors: z.array(
    z.strictObject({
      name: z.string(),
      valid: z.boolean(),
      value: z.unknown(),
      req: z.string().optional(),
      note: z.string().optional(),
    }),
  ),
});

/** Reads every `*.json` of a folder. Throws with the file's name when one is not a vector file. */
export function readVectors(folder: string): Vector[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .flatMap((name) => {
      const parsed = VectorFile.safeParse(JSON.parse(readFileSync(join(folder, name), "utf8")));
      if (!parsed.success) throw new TypeError(`${name}: ${z.prettifyError(parsed.error)}`);
      const { method, part, req, vectors } = parsed.data;
      return vectors.map((vector) => ({
        ...vector,
        method,
        part,
        req: vector.req ?? req,
        id: `${name.replace(/\.json$/, "")}/${vector.name}`,
      }));
    });
}
