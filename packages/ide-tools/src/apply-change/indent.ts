/** The lines that were searched for, and the lines that were found in their place. */
export interface Pairing {
  readonly wanted: readonly string[];
  readonly found: readonly string[];
}

/**
 * Indents a replacement as the lines that it replaces. A line that is indented like one of the searched lines gets the
 * indentation that was found for that line; any other is placed relative to the replacement's first line, in the
 * file's kind of whitespace.
 */
export function reindented(lines: readonly string[], { wanted, found }: Pairing): string[] {
  const known = new Map<string, string>();
  for (const [index, line] of wanted.entries())
    if (isCode(line) && !known.has(indentOf(line))) known.set(indentOf(line), indentOf(found[index] ?? ""));
  const base = indentOf(lines.find(isCode) ?? "");
  const target = indentOf(found.find(isCode) ?? "");
  const usesTabs = found.some((line) => line.startsWith("\t"));
  // The first line goes where the first line was, whatever the search looked like there.
  known.set(base, target);
  const unit = unitOf([...lines, ...wanted]);

  return lines.map((line) => {
    if (!isCode(line)) return "";
    const indent = indentOf(line);
    return (known.get(indent) ?? shifted(indent, { base, target, unit, usesTabs })) + line.trimStart();
  });
}

interface Shift {
  readonly base: string;
  readonly target: string;
  /** Columns of one level. */
  readonly unit: number;
  readonly usesTabs: boolean;
}

function shifted(indent: string, { base, target, unit, usesTabs }: Shift): string {
  const columns = widthOf(indent, unit) - widthOf(base, unit);
  if (columns >= 0) return target + (usesTabs ? tabs(columns, unit) : " ".repeat(columns));
  const left = Math.max(0, widthOf(target, unit) + columns);
  return usesTabs ? tabs(left, unit) : " ".repeat(left);
}

function tabs(columns: number, unit: number): string {
  return "\t".repeat(Math.floor(columns / unit)) + " ".repeat(columns % unit);
}

function widthOf(indent: string, unit: number): number {
  return [...indent].reduce((sum, character) => sum + (character === "\t" ? unit : 1), 0);
}

/** The smallest step between the indentations in spaces; 4 where there is none. */
function unitOf(lines: readonly string[]): number {
  const widths = lines.filter((line) => isCode(line) && !line.startsWith("\t")).map((line) => indentOf(line).length);
  const sorted = [...new Set(widths)].sort((a, b) => a - b);
  const steps = sorted.slice(1).map((width, index) => width - (sorted[index] ?? 0));
  return steps.length === 0 ? 4 : Math.min(...steps);
}

function indentOf(line: string): string {
  return /^[\t ]*/.exec(line)?.[0] ?? "";
}

function isCode(line: string): boolean {
  return line.trim() !== "";
}
