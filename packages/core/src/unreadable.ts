import * as z from "zod/mini";
import type { Change } from "./rewrites.js";
import { isObject } from "./schema.js";
import { type AnySchema } from "./compile.js";
import { validatorOf } from "./validate.js";

type Path = readonly PropertyKey[];

/**
 * Removes from lists the elements that the schema refuses, so that the others are kept. In nested lists, removes the
 * element of the innermost list. A value with other faults is not changed.
 */
export function dropUnreadable(schema: AnySchema): Change {
  return (value) => {
    if (validatorOf(schema).fits(value)) return value;
    const elements = elementsOf(value, z.safeParse(schema, value).error?.issues ?? [], []);
    return elements === undefined ? value : without(value, elements);
  };
}

/** The elements that all of these issues are about; `undefined` when one is about something else. */
function elementsOf(value: unknown, issues: readonly z.core.$ZodIssue[], prefix: Path): Path[] | undefined {
  const elements = issues.map((issue) => {
    const path = [...prefix, ...issue.path];
    const element = elementIn(value, path);
    if (element !== undefined) return [element];
    const branches = issue.code === "invalid_union" ? issue.errors : [];
    return branches.map((branch) => elementsOf(value, branch, path)).find((found) => found !== undefined);
  });
  return elements.every((found) => found !== undefined) ? elements.flat() : undefined;
}

/** The path of the innermost element of a list that a path leads to. */
function elementIn(value: unknown, path: Path): Path | undefined {
  let element: Path | undefined;
  let inner = value;
  for (const [index, key] of path.entries()) {
    if (Array.isArray(inner)) element = path.slice(0, index + 1);
    inner = (inner as Record<PropertyKey, unknown> | null | undefined)?.[key];
  }
  return element;
}

/** A copy without the elements at these paths. */
function without(value: unknown, paths: readonly Path[]): unknown {
  if (paths.length === 0) return value;
  const below = (key: PropertyKey): Path[] => paths.flatMap(([first, ...rest]) => (first === key ? [rest] : []));
  if (Array.isArray(value))
    return value.flatMap((item, index) => {
      const inner = below(index);
      return inner.some(({ length }) => length === 0) ? [] : [without(item, inner)];
    });
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, without(item, below(key))]));
}
