import assert from "node:assert/strict";
import { test } from "node:test";
import { createCalendar } from "../src/calendar.js";
import { createStay } from "../src/stay.js";

const march = (from, to) => createStay(`2026-03-${from}`, `2026-03-${to}`);

test("a room is kept for one guest at a time", () => {
  const calendar = createCalendar(["blue", "green"]);
  calendar.book("blue", "Ada", march(10, 14));
  assert.throws(() => calendar.book("blue", "Grace", march(12, 16)), /taken by Ada until 2026-03-14/);
  calendar.book("green", "Grace", march(12, 16));
});

test("a room can be booked from the day on which its last guest leaves", () => {
  const calendar = createCalendar(["blue"]);
  calendar.book("blue", "Ada", march(10, 14));
  calendar.book("blue", "Grace", march(14, 16));
  assert.deepEqual(calendar.freeRooms(march(13, 15)), []);
});

test("a cancelled booking gives its room back", () => {
  const calendar = createCalendar(["blue"]);
  const booking = calendar.book("blue", "Ada", march(10, 14));
  calendar.cancel(booking);
  assert.deepEqual(calendar.freeRooms(march(10, 14)), ["blue"]);
  assert.throws(() => calendar.cancel(booking), /No such booking/);
});

test("a room that the house does not have is refused", () => {
  assert.throws(() => createCalendar(["blue"]).book("red", "Ada", march(10, 14)), /No such room: red/);
});
