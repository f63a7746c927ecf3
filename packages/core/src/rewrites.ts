import { isObject } from "./schema.js";

/** Converts a value. Returns the same value if nothing had to change. */
export type Change = (value: unknown) => unknown;

/** Absent, or null as some peers write it. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Changes one field of an object, and copies the object only if the field did change. */
export function mapField(value: unknown, key: string, change: Change): unknown {
  if (!isObject(value) || value[key] === undefined) return value;
  const before = value[key];
  const after = change(before);
  return after === before ? value : { ...value, [key]: after };
}

/** Changes the items of an array, and copies the array only if one did change. */
export function mapItems(value: unknown, change: Change): unknown {
  if (!Array.isArray(value)) return value;
  let changed: unknown[] | undefined;
  for (const [index, item] of value.entries()) {
    const after = change(item);
    if (after !== item) (changed ??= value.slice())[index] = after;
  }
  return changed ?? value;
}

/** Applies several changes, one after another. */
export function chain(...changes: readonly Change[]): Change {
  return (value) => changes.reduce((current, change) => change(current), value);
}
