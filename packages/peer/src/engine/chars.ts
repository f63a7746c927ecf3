/** The size of a value that is not a text, an object or an array. */
const scalarChars = 4;

/** The approximate length of a value as JSON text, in characters. It does not write the text. */
export function charsOf(value: unknown): number {
  let chars = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const current = open.pop();
    if (typeof current === "string") chars += current.length + 2;
    else if (typeof current !== "object" || current === null) chars += scalarChars;
    else if (Array.isArray(current)) {
      chars += current.length + 2;
      for (const item of current) open.push(item);
    } else {
      chars += 2;
      const members = current as Readonly<Record<string, unknown>>;
      // `Object.entries` would make an array for each member, which takes four times as long.
      for (const key in members) {
        const member = members[key];
        chars += key.length + 4;
        if (typeof member === "string") chars += member.length + 2;
        else open.push(member);
      }
    }
  }
  return chars;
}
