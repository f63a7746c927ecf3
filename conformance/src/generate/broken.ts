import { isObject } from "@editwire/core";

/** One way in which a part of a message is wrong. */
export interface Breakage {
  /** Part of an id, such as `modes-currentModeId-missing`. */
  readonly name: string;
  /** Whether the place has to be there: a required field, or an item of an array. */
  readonly required: boolean;
  /** Whether the value stays an object, as the params of a message have to be for it to be one. */
  readonly structured: boolean;
  /** Breaks a value; one that lacks the place stays as it is. */
  apply(value: unknown): unknown;
}

type Path = readonly (string | number)[];

const values: readonly (readonly [string, unknown])[] = [
  ["string", "1"],
  ["number", 7],
  ["null", null],
  ["array", []],
  ["boolean", true],
  ["object", {}],
];
const gone = Symbol("gone");

/**
 * Every way to leave out what a value must have, and for every place in it one other JSON type that does not fit there.
 * `sample` fits and has everything that may be broken; the first entry stands for an array. Throws a `TypeError` for a
 * sample that does not fit.
 */
export function breakages(fits: (value: unknown) => boolean, sample: unknown): Breakage[] {
  if (!fits(sample)) throw new TypeError(`the sample is not valid: ${JSON.stringify(sample)}`);
  const wrong = (path: Path, replacement: unknown): boolean => !fits(put(sample, path, replacement));
  return [[], ...pathsOf(sample)].flatMap((path: Path, index): Breakage[] => {
    const named = (what: string, replacement: unknown): Breakage => ({
      name: [...path, what].join("-"),
      structured: path.length > 0,
      required: path.length > 0 && (wrong(path, gone) || typeof path.at(-1) === "number"),
      apply: (value) => put(value, path, replacement),
    });
    // Another type each time, so that all of them come up.
    const turned = [...values.slice(index % values.length), ...values.slice(0, index % values.length)];
    const type = turned.find(([, replacement]) => wrong(path, replacement));
    return [
      ...(path.length > 0 && wrong(path, gone) ? [named("missing", gone)] : []),
      ...(type === undefined ? [] : [named(...type)]),
    ];
  });
}

function pathsOf(value: unknown): Path[] {
  if (!isObject(value) && !Array.isArray(value)) return [];
  const entries: (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.slice(0, 1).map((item: unknown) => [0, item])
    : Object.entries(value);
  return entries.flatMap(([key, item]) => [[key], ...pathsOf(item).map((path) => [key, ...path])]);
}

/** A copy with something else at one place. */
function put(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement;
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    return items.flatMap((item, index) =>
      index !== key ? [item] : [put(item, rest, replacement)].filter((one) => one !== gone),
    );
  }
  if (!isObject(value) || !Object.hasOwn(value, key)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) =>
      name !== key ? [[name, item]] : [[name, put(item, rest, replacement)]].filter(([, one]) => one !== gone),
    ),
  );
}
