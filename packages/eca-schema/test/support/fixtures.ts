import { fixturesOf } from "../../../core/test/support/fixtures.js";

export { frozen, methodOfFile } from "../../../core/test/support/fixtures.js";
export const { examples, fixtures, text } = fixturesOf(import.meta.url);
