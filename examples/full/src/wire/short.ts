/** The longest text in an entry. */
const maxChars = 96;

/** A message in short. Absent for one that says nothing to a reader. */
export interface Short {
  readonly text: string;
  /** The kind of a piece that goes on with the piece before it. */
  readonly goesOn?: string | undefined;
}

/** The fields of a message, none of which is sure to be there. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a value; none for what has none. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

/** A text in one line, cut where it is too long. */
export function cut(value: unknown, max: number = maxChars): string {
  const line = String(value ?? "")
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return line.length > max ? `${line.slice(0, max)}…` : line;
}

/** A text in quotes, cut where it is too long. */
export function quoted(value: unknown): string {
  return `“${cut(value)}”`;
}
