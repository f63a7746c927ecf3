import { fixturesOf } from "../../../core/test/support/fixtures.js";

export { methodOfFile } from "../../../core/test/support/fixtures.js";
export const { examples, fixtures } = fixturesOf(import.meta.url);
