import { UsageError } from "../core/errors.js";

/**
 * Reads the whole number of a flag. Throws a `UsageError` for anything else, and outside of `from` (default 0) to `to`.
 */
export function wholeNumber(
  text: string,
  { from = 0, to = Number.MAX_SAFE_INTEGER }: { from?: number; to?: number } = {},
): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= from && value <= to) return value;
  const range = `${from > 0 ? ` from ${from}` : ""}${to < Number.MAX_SAFE_INTEGER ? ` up to ${to}` : ""}`;
  throw new UsageError(`expected a whole number${range}, received "${text}"`);
}

/** Reads the number of a flag, which must be above 0. Throws a `UsageError` for anything else. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`expected a number above 0, received "${text}"`);
}
