/** The first characters of a text. Half a character at the end is left out: parsers of JSON may refuse it. */
export function beginning(text: string, maxChars: number): string {
  return text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "");
}
