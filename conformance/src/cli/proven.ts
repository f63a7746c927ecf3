import { readFileSync } from "node:fs";
import * as z from "zod";
import { UsageError } from "../core/errors.js";

const Matrix = z.looseObject({ proven: z.array(z.string()) });

/** The requirements that a kill matrix has proven, from the file that `mutants --json` wrote. Throws a `UsageError`. */
export function provenBy(file: string | undefined): string[] | undefined {
  if (file === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(readText(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} is not JSON`);
  }
  const matrix = Matrix.safeParse(value);
  if (!matrix.success) throw new UsageError(`${file} is not a kill matrix: ${z.prettifyError(matrix.error)}`);
  return matrix.data.proven;
}

/** A file's text. Throws a `UsageError` when it cannot be read. */
export function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
