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
/** Text as inline code. */
export function inlineCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = "`".repeat(longest + 1);
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${ticks}${space}${text}${space}${ticks}`;
}

/** Cuts a report to a number of characters, between two characters, and says so. */
export function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
  return `${text.slice(0, end)}\n\n> ⚠️ 已自动截断: 结果共 ${text.length} 个字符, 只显示前 ${end} 个`;
}
