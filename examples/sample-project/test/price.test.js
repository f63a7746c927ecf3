import assert from "node:assert/strict";
import { test } from "node:test";
import { priceOf } from "../src/price.js";
import { createStay } from "../src/stay.js";

const rates = { night: 90, weekend: 120 };

test("the nights of Friday and Saturday cost the weekend's rate", () => {
  assert.equal(priceOf(createStay("2026-03-12", "2026-03-16"), rates), 90 + 120 + 120 + 90);
});

test("seven nights cost a tenth less", () => {
  assert.equal(priceOf(createStay("2026-03-09", "2026-03-16"), rates), (5 * 90 + 2 * 120) * 0.9);
});
