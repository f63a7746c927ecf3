import { type AnySchema, type Change, isObject, mapField, validatorOf } from "@editwire/core";
import { keepRaw } from "./keep-raw.js";

/**
 * Leaves out the optional fields that the schema refuses. A field that contains such a one is left out only where that
 * one is required in it. Items of lists stay as they are, and so do the fields of the whole that `needed` names.
 */
export function withoutUnfitFields(schema: AnySchema, needed: readonly string[] = []): Change {
  return (value) => {
    let kept = value;
    for (const path of refused(schema, value)) kept = withoutPart(schema, kept, path, needed);
    return kept;
  };
}

function withoutPart(schema: AnySchema, value: unknown, path: readonly string[], needed: readonly string[]): unknown {
  const shortest = needed.includes(path[0] ?? "") ? 2 : 1;
  for (let length = path.length; length >= shortest; length -= 1) {
    const part = path.slice(0, length);
    const without = remove(value, part);
    if (without !== value && !refused(schema, without).some((other) => startsWith(other, part))) return without;
  }
  return value;
}

function refused(schema: AnySchema, value: unknown): string[][] {
  return validatorOf(schema)
    .issues(value, "")
    .map(({ path }) => path.split(".").slice(1));
}

function startsWith(path: readonly string[], part: readonly string[]): boolean {
  return part.every((key, index) => path[index] === key);
}

/** The same value for a field that it does not have. */
function remove(value: unknown, [key = "", ...rest]: readonly string[]): unknown {
  const inner: Change = (field) => remove(field, rest);
  if (Array.isArray(value) && rest.length > 0) {
    const item: unknown = value[Number(key)];
    const after = inner(item);
    return after === item ? value : value.map((one, index) => (index === Number(key) ? after : one));
  }
  if (rest.length > 0) return mapField(value, key, inner);
  if (!isObject(value) || value[key] === undefined) return value;
  const { [key]: raw, ...others } = value;
  return keepRaw(others, key, raw);
}
