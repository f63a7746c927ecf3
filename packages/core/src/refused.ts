import * as z from "zod/mini";
import { type AnySchema } from "./compile.js";

/** The place of a value in another one. */
export type Path = readonly PropertyKey[];

/** The places where the schema refuses the value, including places inside unions. */
export function refused(schema: AnySchema, value: unknown): Path[] {
  return pathsOf(z.safeParse(schema, value).error?.issues ?? [], []);
}

function pathsOf(issues: readonly z.core.$ZodIssue[], prefix: Path): Path[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    return issue.code === "invalid_union" ? [path, ...issue.errors.flatMap((branch) => pathsOf(branch, path))] : [path];
  });
}

/** The value at a path. */
export function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}
