import assert from "node:assert/strict";
import { test } from "node:test";
import { invoice } from "../src/invoice.js";

test("seven nights are a long stay", () => {
  assert.deepEqual(invoice({ from: 1, to: 8 }), ["7 nights", "a tenth less for a long stay"]);
});

test("six nights are not", () => {
  assert.deepEqual(invoice({ from: 1, to: 7 }), ["6 nights", "the full price"]);
});
