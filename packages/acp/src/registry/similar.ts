/** The names that look like a word, the nearest first: at most three. */
export function similarTo(word: string, names: readonly string[]): string[] {
  const lower = word.toLowerCase();
  return names
    .map((name) => ({ name, distance: name.includes(lower) || lower.includes(name) ? 1 : distance(lower, name) }))
    .filter(({ name, distance: far }) => lower !== "" && far <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, 3)
    .map(({ name }) => name);
}

/** How many characters are added, dropped or replaced between two words (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, against] of [...other].entries())
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (letter === against ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
