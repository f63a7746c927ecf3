import assert from "node:assert/strict";
import { test } from "node:test";
import { book } from "../src/calendar.js";

const first = { room: "garden", guest: "Ada", from: 1, to: 4 };

test("a room can be booked from the day on which its last guest leaves", () => {
  assert.equal(book([first], { room: "garden", guest: "Bob", from: 4, to: 6 }).length, 2);
});

test("a room is booked once for a night", () => {
  assert.throws(() => book([first], { room: "garden", guest: "Bob", from: 3, to: 6 }), /is taken by Ada/);
});
