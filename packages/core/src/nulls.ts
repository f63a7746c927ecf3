import { type Change, mapField } from "./rewrites.js";
import { isObject } from "./schema.js";
import { type AnySchema } from "./compile.js";
import { at, type Path, refused } from "./refused.js";
import { validatorOf } from "./validate.js";

/**
 * Removes every null that the schema refuses and that may be absent. Any other null is kept, such as one in
 * `rawOutput`.
 */
export function dropNulls(schema: AnySchema): Change {
  return (value) => {
    if (validatorOf(schema).fits(value)) return value;
    let kept = value;
    for (const path of refused(schema, value)) {
      if (at(kept, path) !== null) continue;
      const without = remove(kept, path);
      if (!refused(schema, without).some((other) => samePath(other, path))) kept = without;
    }
    return kept;
  };
}

function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}

/** A copy without one field; an item of an array is never removed. */
function remove(value: unknown, [key, ...rest]: Path): unknown {
  if (rest.length > 0) {
    const inner: Change = (field) => remove(field, rest);
    return Array.isArray(value)
      ? value.map((item, index) => (index === key ? inner(item) : item))
      : mapField(value, String(key), inner);
  }
  if (!isObject(value)) return value;
  const { [String(key)]: _, ...others } = value;
  return others;
}
