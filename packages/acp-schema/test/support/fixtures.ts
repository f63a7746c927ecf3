import { fixturesOf } from "../../../core/test/support/fixtures.js";

export { frozen } from "../../../core/test/support/fixtures.js";
const { fixtures, text } = fixturesOf(import.meta.url);

export { fixtures };

/** The lines of a JSON Lines file of `test/fixtures`. */
export function lines<T>(file: string): T[] {
  return text(file)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}
