import assert from "node:assert/strict";
import { test } from "node:test";
import { createStay, nightsOf, overlaps } from "../src/stay.js";

test("a stay has as many nights as there are days between arrival and departure", () => {
  assert.equal(nightsOf(createStay("2026-02-27", "2026-03-02")).length, 3);
});

test("a stay without a night is refused", () => {
  assert.throws(() => createStay("2026-03-14", "2026-03-14"), /lasts a night at least/);
});

test("a date that does not exist is refused", () => {
  assert.throws(() => createStay("2026-02-30", "2026-03-02"), RangeError);
});

test("stays that share a night overlap, whichever comes first", () => {
  const early = createStay("2026-03-10", "2026-03-14");
  const late = createStay("2026-03-13", "2026-03-20");
  assert.equal(overlaps(early, late), true);
  assert.equal(overlaps(late, early), true);
});

test("stays with days between them do not overlap", () => {
  assert.equal(overlaps(createStay("2026-03-10", "2026-03-12"), createStay("2026-03-15", "2026-03-20")), false);
});
