import { isObject } from "@editwire/core";

/** Changes a value in the places in which `broken` differs from `right`. */
export function changedAlike(value: unknown, right: unknown, broken: unknown): unknown {
  if (JSON.stringify(right) === JSON.stringify(broken)) return value;
  if (!isObject(value) || !isObject(right) || !isObject(broken)) return broken;
  const names = new Set([...Object.keys(value), ...Object.keys(right), ...Object.keys(broken)]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const same = JSON.stringify(right[name]) === JSON.stringify(broken[name]);
      if (same) return name in value ? [[name, value[name]]] : [];
      return broken[name] === undefined ? [] : [[name, changedAlike(value[name], right[name], broken[name])]];
    }),
  );
}
