/** A bold fact of a report. */
export type Fact = readonly [name: string, value: string | number];

/** A heading of the second level, and the facts below it. */
export function report(heading: string, facts: readonly Fact[]): string {
  return [`## ${heading}`, "", ...facts.map(([name, value]) => `**${name}**: ${value}`)].join("\n");
}

/** Code in a fence that no line of the code ends. */
export function fenced(language: string, code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
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
