import { fixturesOf } from "../../../core/test/support/fixtures.js";

export { frozen, methodOfFile } from "../../../core/test/support/fixtures.js";
export const { fixtures, text } = fixturesOf(import.meta.url);
