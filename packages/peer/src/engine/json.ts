import { WireError } from "@editwire/core/errors";

/**
 * Writes a value as JSON. Half a surrogate pair, as the cut of a text leaves it, becomes U+FFFD: strict parsers refuse
 * the whole message otherwise. Throws a `WireError` of the code for what JSON cannot hold; `subject` and `part` say
 * what it was.
 */
export function toJson(
  code: "invalid_params" | "invalid_result",
  subject: string,
  part: string,
  value: unknown,
): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (cause) {
    throw new WireError(code, `${subject}: ${part} cannot be written as JSON`, { cause });
  }
  if (json === undefined)
    throw new WireError(code, `${subject}: ${part} cannot be written as JSON: a ${typeof value} has no JSON form`);
  return json.includes("\\ud") ? json.replace(escapes, withoutHalf) : json;
}

/** Every escape of a JSON text. A pair is not escaped, so what an escape has of a surrogate pair is half of it. */
const escapes = /\\(?:u[\da-f]{4}|.)/g;
const withoutHalf = (escape: string): string => (escape.startsWith("\\ud") ? "\uFFFD" : escape);

/** A short form of a value from the wire, for a log. */
export function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 100));
  return typeof value === "object" && value !== null
    ? Array.isArray(value)
      ? "an array"
      : "an object"
    : String(value);
}
