/** Lines around a change that a patch shows. */
const contextLines = 3;

/** A patch in Git's format that turns one text into another. Its path is absolute, and has no prefix. */
export function patchOf(path: string, oldText: string | null, newText: string): string {
  const before = linesOf(oldText ?? "");
  const after = linesOf(newText);
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const first = Math.max(0, start - contextLines);
  const rest = Math.max(0, end - contextLines);
  const lead = before.slice(first, start);
  const tail = before.slice(before.length - end, before.length - rest);
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  const counts = (changed: number): number => lead.length + changed + tail.length;
  const at = (count: number): string => `${count === 0 ? 0 : first + 1},${count}`;
  return [
    `--- ${oldText === null ? "/dev/null" : path}\n+++ ${path}\n`,
    `@@ -${at(counts(removed.length))} +${at(counts(added.length))} @@\n`,
    ...lead.map((line) => marked(" ", line)),
    ...removed.map((line) => marked("-", line)),
    ...added.map((line) => marked("+", line)),
    ...tail.map((line) => marked(" ", line)),
  ].join("");
}

/** The lines of a text, each with its end. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function marked(mark: string, line: string): string {
  return line.endsWith("\n") ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`;
}
