/** A line of a text. */
export interface Line {
  readonly text: string;
  /** Its end: `\n`, `\r\n`, `\r`, or empty for a last line without one. */
  readonly end: string;
}

/** Splits a text at `\n`, `\r\n` and `\r`. The text after the last line end is a line only when it is not empty. */
export function* linesIn(text: string): Generator<Line> {
  let start = 0;
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
    yield { text: text.slice(start, index), end };
    start = index + end.length;
  }
  if (start < text.length) yield { text: text.slice(start), end: "" };
}

/** The number of a text's lines. */
export function countLines(text: string): number {
  let count = 0;
  let start = 0;
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
    count++;
    start = index + end.length;
  }
  return start < text.length ? count + 1 : count;
}

/** The most frequent of a text's line ends; `\n` for a text without any. */
export function lineEndOf(text: string): string {
  const counts = new Map<string, number>();
  for (const [end] of text.matchAll(/\r\n|\n|\r/g)) counts.set(end, (counts.get(end) ?? 0) + 1);
  const [[most] = ["\n"]] = [...counts].sort(([, a], [, b]) => b - a);
  return most;
}

/** The text with `\n` at the end of each line. */
export function withNewlines(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
