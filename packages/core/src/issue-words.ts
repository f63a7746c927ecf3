import type * as z from "zod/mini";

const units: Readonly<Record<string, string>> = { string: "characters", array: "items", set: "items", map: "entries" };

/**
 * Texts of issues for `safeParse`: `zod/mini` has none, and zod's settings belong to the application. A schema's own
 * texts take precedence.
 */
export const inWords = { error: issueWords };

function issueWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${issue.expected}, received ${typeName(issue.input)}`;
    case "invalid_value":
      return `expected ${issue.values.length === 1 ? "" : "one of "}${listed(issue.values, "|")}`;
    case "too_small":
      return `expected ${bounded(issue.origin, issue.inclusive === false ? ">" : ">=", issue.minimum)}`;
    case "too_big":
      return `expected ${bounded(issue.origin, issue.inclusive === false ? "<" : "<=", issue.maximum)}`;
    case "invalid_format":
      return issue.pattern === undefined
        ? `expected ${issue.format}`
        : `expected a string that matches ${issue.pattern}`;
    case "not_multiple_of":
      return `expected a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `unknown ${listed(issue.keys, ", ")}`;
    case "invalid_union":
      return Array.isArray(issue.options)
        ? `expected one of ${listed(issue.options, "|")}`
        : "fits none of the alternatives";
    default:
      return "is not valid";
  }
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function listed(values: readonly unknown[], separator: string): string {
  return values.map((value) => (typeof value === "string" ? `"${value}"` : String(value))).join(separator);
}

function bounded(origin: string, comparison: string, limit: number | bigint): string {
  const unit = units[origin];
  return unit === undefined
    ? `${origin} to be ${comparison}${limit}`
    : `${origin} to have ${comparison}${limit} ${unit}`;
}
