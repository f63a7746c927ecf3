import assert from "node:assert/strict";
import { test } from "node:test";
import { assign } from "../src/rooms.js";

const garden = { name: "garden", beds: 2 };

test("two guests fit into a room with two beds", () => {
  assert.deepEqual(assign(garden, 2), { room: "garden", guests: 2 });
});

test("three do not", () => {
  assert.throws(() => assign(garden, 3), /garden is too small/);
});
