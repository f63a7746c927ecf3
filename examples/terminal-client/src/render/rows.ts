import stringWidth from "string-width";
import { fit, type Look } from "./look.js";
import { oneLine } from "./sanitize.js";

/** A name, and what it stands for. */
export type Row = readonly [name: string, text: string];

/** Names wider than this do not push the texts of the other rows away. */
const maxNameWidth = 40;

/** Two columns with a gap between them, one line for each row. */
export function renderRows(rows: readonly Row[], look: Look): string[] {
  const safe = rows.map(([name, text]) => [oneLine(name), oneLine(text)] as const);
  const width = Math.max(...safe.map(([name]) => stringWidth(name)).filter((each) => each <= maxNameWidth), 0);
  return safe.map(([name, text]) => {
    const gap = " ".repeat(Math.max(width - stringWidth(name), 0) + 2);
    return fit(`${name}${gap}${look.colors.dim(text)}`.trimEnd(), look);
  });
}
