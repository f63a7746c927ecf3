import type { AnySchema } from "./compile.js";
import { repaired } from "./deviation-rows.js";
import { type Deviation } from "./profile.js";
import { methodsOf, type Protocol } from "./protocol.js";
import { at, type Path, refused } from "./refused.js";
import type { Change } from "./rewrites.js";
import { isObject } from "./schema.js";
import { validatorOf } from "./validate.js";

const facts = {
  id: "null-list",
  summary: "null for a list, read as an empty one; one that may be absent is left out",
  seen: "programs in typed languages such as Go, which write a list without items so",
};

/** The rows for lists that are null: those of all methods of a protocol. */
export function nullLists(protocol: Protocol): Deviation[] {
  const whole = (value: unknown, change: Change): unknown => change(value);
  return methodsOf(protocol)
    .filter(([, { wire }]) => wire === undefined) // a row with the name of another has its params
    .flatMap(([method, def]) => [
      ...repaired({ ...facts, at: { [method]: whole } }, readNullLists(def.params)),
      ...(def.kind === "request"
        ? repaired({ ...facts, at: { [method]: whole }, part: "result" }, readNullLists(def.result))
        : []),
    ]);
}

/**
 * Reads null as an empty list wherever the schema takes a list, and no object. A list that may be absent is left out:
 * in an update, an empty one would say more.
 */
export function readNullLists(schema: AnySchema): Change {
  return (value) => {
    if (validatorOf(schema).fits(value)) return value;
    const nulls = refused(schema, value).filter((path) => path.length > 0 && at(value, path) === null);
    const lists = accepted(schema, value, nulls, () => []);
    const objects = new Set(accepted(schema, value, lists, () => ({})).map(keyOf));
    const found = lists.filter((path) => !objects.has(keyOf(path)));
    if (found.length === 0) return value;
    const optional = new Set(accepted(schema, value, found, () => undefined).map(keyOf));
    return replaced(value, found, (path) => (optional.has(keyOf(path)) ? undefined : []));
  };
}

/** The places where the schema takes another value. */
function accepted(schema: AnySchema, value: unknown, paths: readonly Path[], other: () => unknown): readonly Path[] {
  if (paths.length === 0) return paths;
  const left = new Set(refused(schema, replaced(value, paths, other)).map(keyOf));
  return paths.filter((path) => !left.has(keyOf(path)));
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}

/** The replacements below one place, by the name of a field or the index of an item. */
type Replacements = Map<PropertyKey, Replacements | { readonly by: unknown }>;

/** A copy with other values at some places. A field that gets `undefined` is removed; an item is not. */
function replaced(value: unknown, paths: readonly Path[], by: (path: Path) => unknown): unknown {
  const root: Replacements = new Map();
  for (const path of paths) {
    let place = root;
    for (const key of path.slice(0, -1)) {
      const known = place.get(key);
      const next: Replacements = known instanceof Map ? known : new Map();
      place.set(key, next);
      place = next;
    }
    place.set(path.at(-1) as PropertyKey, { by: by(path) });
  }
  return copied(value, root);
}

function copied(value: unknown, replacements: Replacements): unknown {
  if (!Array.isArray(value) && !isObject(value)) return value;
  const copy = (Array.isArray(value) ? value.slice() : { ...value }) as Record<PropertyKey, unknown>;
  for (const [key, replacement] of replacements) {
    if (replacement instanceof Map) copy[key] = copied(copy[key], replacement);
    else if (replacement.by === undefined && !Array.isArray(value)) delete copy[key];
    else copy[key] = replacement.by ?? null;
  }
  return copy;
}
