import { RE2JS, RE2JSException } from "re2js";
import { patternError, type SearchRequest } from "./engine.js";

/** The part of a search that says which lines match. */
type PatternRequest = Pick<SearchRequest, "pattern" | "isRegex" | "isCaseSensitive">;

/** Tells whether a line matches. */
export type Matcher = (line: string) => boolean;

/**
 * A matcher that takes time linear in the line's length, whatever the pattern. Throws a `ToolError` for a pattern that
 * is not a regular expression.
 */
export function matcherOf({ pattern, isRegex, isCaseSensitive }: PatternRequest): Matcher {
  if (!isRegex) {
    // No repetition is left in an escaped text, so that JavaScript's engine does not backtrack.
    const literal = new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), isCaseSensitive ? "u" : "iu");
    return (line) => literal.test(line);
  }
  try {
    const expression = RE2JS.compile(pattern, isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
    return (line) => expression.test(line);
  } catch (error) {
    if (error instanceof RE2JSException) throw patternError(error.message);
    throw error;
  }
}
