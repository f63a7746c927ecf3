import { isAbsolute, relative, sep } from "node:path";
import cliTruncate from "cli-truncate";
import type pc from "picocolors";
import { oneLine } from "./sanitize.js";

/** picocolors, on or off. */
export type Colors = ReturnType<typeof pc.createColors>;

/** What every render function needs to know of the terminal and the session. */
export interface Look {
  readonly colors: Colors;
  /** Width of the terminal in cells. */
  readonly columns: number;
  /** The session's folder: paths inside it are shown relative to it. */
  readonly cwd: string;
}

/** Cuts a line that already carries colours to a width, by default the terminal's. */
export function fit(line: string, { columns }: Pick<Look, "columns">): string {
  return cliTruncate(line, Math.max(columns, 20));
}

/** A path from the agent, made safe, and relative where it lies in the session's folder. */
export function displayPath(path: string, { cwd }: Look): string {
  const inside = isAbsolute(path) ? relative(cwd, path) || "." : path;
  const outside = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return oneLine(outside ? path : inside);
}

/** Puts the bar of a detail block in front of each line. */
export function indentDetail(lines: readonly string[], { colors }: Look): string[] {
  return lines.map((line) => (line.trim() === "" ? `  ${colors.dim("│")}` : `  ${colors.dim("│")} ${line}`));
}
