import { structuredPatch } from "diff";
import { displayPath, type Look } from "./look.js";
import { escapeControls } from "./sanitize.js";

/** A file before and after; `undefined` on the side where there is none. */
export interface FileDiff {
  readonly path: string;
  readonly oldText: string | undefined;
  readonly newText: string | undefined;
}

/** The lines of a unified diff, and how many of them were added and removed. */
export interface Comparison {
  readonly lines: readonly string[];
  readonly added: number;
  readonly removed: number;
  /**
   * The texts differ too much to be compared line by line in a reasonable time: `lines` is empty, the counts are whole
   * files.
   */
  readonly tooLarge: boolean;
}

/** Beyond this many changed lines a comparison takes long and says little. */
const limits = { context: 3, maxEditLength: 1000 };
const longestLine = 500;

/** Compares two texts line by line. */
export function compare({ path, oldText = "", newText = "" }: FileDiff): Comparison {
  if (oldText === "" || newText === "") return wholeFile(oldText, newText);
  const patch = structuredPatch(path, path, oldText, newText, undefined, undefined, limits);
  if (patch === undefined)
    return { lines: [], added: splitLines(newText).length, removed: splitLines(oldText).length, tooLarge: true };
  const changed = patch.hunks.flatMap((hunk) => hunk.lines);
  return {
    lines: patch.hunks.flatMap((hunk) => [
      `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
      ...hunk.lines,
    ]),
    added: changed.filter((line) => line.startsWith("+")).length,
    removed: changed.filter((line) => line.startsWith("-")).length,
    tooLarge: false,
  };
}

/** A text that is all new, or all gone, needs no comparison and is shown whatever its size. */
function wholeFile(oldText: string, newText: string): Comparison {
  const [removed, added] = [splitLines(oldText), splitLines(newText)];
  const range = (lines: readonly string[]): string => (lines.length === 0 ? "0,0" : `1,${lines.length}`);
  const header = `@@ -${range(removed)} +${range(added)} @@`;
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  return {
    lines: lines.length === 0 ? [] : [header, ...lines],
    added: added.length,
    removed: removed.length,
    tooLarge: false,
  };
}

/** `+3 −1`, in colour. */
export function renderCounts({ added, removed }: Pick<Comparison, "added" | "removed">, { colors }: Look): string {
  return `${colors.green(`+${added}`)} ${colors.red(`−${removed}`)}`;
}

/** One line that names the file: its path, its change, and the line counts. */
export function renderDiffHeader(diff: FileDiff, comparison: Comparison, look: Look): string {
  const fate = diff.oldText === undefined ? " (new file)" : diff.newText === undefined ? " (deleted)" : "";
  return `${look.colors.bold(displayPath(diff.path, look))}${look.colors.dim(fate)}  ${renderCounts(comparison, look)}`;
}

/** The hunks in colour, at most `maxLines` of them. */
export function renderHunks(comparison: Comparison, look: Look, maxLines = Number.POSITIVE_INFINITY): string[] {
  const { dim } = look.colors;
  if (comparison.tooLarge) return [dim("too much has changed to show it line by line")];
  const shown = comparison.lines.length > maxLines ? comparison.lines.slice(0, maxLines) : comparison.lines;
  const hidden = comparison.lines.length - shown.length;
  return [...shown.map((line) => paint(line, look)), ...(hidden > 0 ? [dim(`… ${hidden} more lines`)] : [])];
}

function paint(line: string, { colors }: Look): string {
  const safe = escapeControls(line.length > longestLine ? `${line.slice(0, longestLine)}…` : line)
    .replaceAll("\n", "␊")
    .replaceAll("\t", "    ");
  if (line.startsWith("@@")) return colors.cyan(safe);
  if (line.startsWith("+")) return colors.green(safe);
  if (line.startsWith("-")) return colors.red(safe);
  return line.startsWith("\\") ? colors.dim(safe) : safe;
}

function splitLines(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
