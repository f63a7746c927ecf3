/** Characters that are shown of a value. */
const maxChars = 200;

/** A value that a caller sent, for a report: as JSON, so that it is one line, and only its beginning if it is long. */
export function quoted(value: string | null): string {
  if (value === null) return "none";
  return JSON.stringify(value.length > maxChars ? `${value.slice(0, maxChars)}…` : value);
}
