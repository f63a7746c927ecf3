import { isObject } from "@editwire/core";

/**
 * The expected form of a value: an object matches one that has at least its fields, an array one of the same length, a
 * RegExp a string, a function says yes or no, and anything else must be equal.
 */
export type Pattern = unknown;

/** Says whether a value matches a pattern. `undefined` as a pattern matches everything. */
export function matches(value: unknown, pattern: Pattern): boolean {
  if (pattern === undefined) return true;
  if (typeof pattern === "function") return (pattern as (value: unknown) => boolean)(value);
  if (pattern instanceof RegExp) return typeof value === "string" && pattern.test(value);
  if (Array.isArray(pattern)) {
    return (
      Array.isArray(value) &&
      value.length === pattern.length &&
      pattern.every((item, index) => matches(value[index], item))
    );
  }
  if (isObject(pattern)) {
    return isObject(value) && Object.entries(pattern).every(([key, item]) => matches(value[key], item));
  }
  return Object.is(value, pattern);
}

/** A condition as a pattern, with the words that reports have for what meets it, such as "an answer with the id 7". */
export function where<T extends (value: never) => boolean>(words: string, holds: T): T {
  conditions.set(holds, words);
  return holds;
}
const conditions = new WeakMap<object, string>();

/** A pattern as text, for messages. Throws a `TypeError` for a function that `where` has given no words. */
export function describePattern(pattern: Pattern): string {
  if (typeof pattern === "function") return wordsOf(pattern);
  return JSON.stringify(pattern, (_key, value: unknown) => {
    if (typeof value === "function") return `<${wordsOf(value)}>`;
    return value instanceof RegExp ? String(value) : value;
  });
}

function wordsOf(condition: object): string {
  const words = conditions.get(condition);
  if (words === undefined) throw new TypeError("a condition without words; expected one that `where` has made");
  return words;
}
