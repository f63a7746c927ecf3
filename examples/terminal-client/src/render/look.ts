import { isAbsolute, relative, sep } from "node:path";
import cliTruncate from "cli-truncate";
import type pc from "picocolors";
import wrapAnsi from "wrap-ansi";
import { oneLine } from "./sanitize.js";

/** picocolors, on or off. */
export type Colors = ReturnType<typeof pc.createColors>;

/** The facts about the terminal and the session that every render function needs. */
export interface Look {
  readonly colors: Colors;
  /** Width of the terminal in cells. */
  readonly columns: number;
  /** Whether it is a terminal: what is too wide for it wraps there, and nowhere else. */
  readonly live: boolean;
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

/** Puts the bar of a detail block in front of each line, and of each part of a line that is wider than the terminal. */
export function indentDetail(lines: readonly string[], { colors, columns, live }: Look): string[] {
  const bar = `  ${colors.dim("│")}`;
  const width = Math.max(columns - 4, 20);
  const parts = (line: string): string[] =>
    live ? wrapAnsi(line, width, { hard: true, trim: false, wordWrap: false }).split("\n") : [line];
  return lines.flatMap(parts).map((line) => (line.trim() === "" ? bar : `${bar} ${line}`));
}
