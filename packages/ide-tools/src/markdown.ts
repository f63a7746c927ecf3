/** A bold fact of a report. */
export type Fact = readonly [name: string, value: string | number];

/** A heading of the second level, and the facts below it. */
export function report(heading: string, facts: readonly Fact[]): string {
  return [`## ${heading}`, "", ...facts.map(([name, value]) => `**${name}**: ${value}`)].join("\n");
}

/** Code in a fence that no line of the code ends. */
export function fenced(language: string, code: string): string {
  const longest = longestTicks(code, 2);
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${language}\n${code}\n${ticks}`;
}

/** A line of code with its number; the line that was asked for is marked. */
export function numbered(number: number, text: string, isMarked = false): string {
  return `${String(number).padStart(4)} ${isMarked ? ">>>" : "|  "} ${text}`;
}

/** The extension of a path, as the language of a fence. */
export function languageOf(path: string): string {
  return /\.([\w-]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}

/** Text as inline code. */
export function inlineCode(text: string): string {
  const longest = longestTicks(text, 0);
  const ticks = "`".repeat(longest + 1);
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${ticks}${space}${text}${space}${ticks}`;
}

/** The length of the longest run of backticks, if it is longer than `least`. */
function longestTicks(text: string, least: number): number {
  let longest = least;
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length);
  return longest;
}

/** The beginning of a text, which does not end inside of a character. */
export function beginningOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars);
}

/** Collects the blocks of a report, up to a number of characters. Blocks beyond the limit are dropped. */
export class ReportBuilder {
  readonly #maxChars: number;
  #parts: string[] = [];
  #left: number;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
    this.#left = maxChars;
  }

  /** Whether blocks are dropped. */
  get isFull(): boolean {
    return this.#left < 0;
  }

  /** Adds blocks, which blank lines separate. */
  add(...blocks: readonly string[]): void {
    for (const block of blocks) this.addLine(block, false);
  }

  /** Adds a line: below the line before it, or else as a block. */
  addLine(line: string, isBelow: boolean): void {
    if (this.isFull) return;
    const part = `${this.#parts.length === 0 ? "" : isBelow ? "\n" : "\n\n"}${line}`;
    this.#parts.push(beginningOf(part, this.#left));
    this.#left -= part.length;
  }

  /** The report, and the note that it is cut off if it is. */
  text(note: (maxChars: number) => string): string {
    const text = this.#parts.join("");
    return this.isFull ? `${text}\n\n${note(this.#maxChars)}` : text;
  }
}
