import assert from "node:assert/strict";
import { test } from "node:test";
import { book } from "../src/calendar.js";

const standUp = { title: "Stand-up", room: "Blue", start: 570, end: 600 };

test("a room is free again at the minute at which a meeting ends", () => {
  const review = { title: "Review", room: "Blue", start: 600, end: 660 };
  assert.deepEqual(book([standUp], review), [standUp, review]);
});

test("a room is taken while a meeting runs", () => {
  assert.throws(() => book([standUp], { title: "Review", room: "Blue", start: 599, end: 660 }), /taken by Stand-up/);
});

test("another room is free at any time", () => {
  assert.equal(book([standUp], { ...standUp, room: "Red" }).length, 2);
});
