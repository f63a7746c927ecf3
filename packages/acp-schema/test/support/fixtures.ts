import { fixturesOf } from "../../../core/test/support/fixtures.js";

export { frozen } from "../../../core/test/support/fixtures.js";
const { examples, fixtures, text } = fixturesOf(import.meta.url);

export { examples, fixtures };

/** The lines of a JSON Lines file of `test/fixtures`. */
export function lines<T>(file: string): T[] {
  return text(file)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}
