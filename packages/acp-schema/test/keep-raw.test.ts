import { expect, test } from "vitest";
import { keepRaw } from "../src/keep-raw.js";

test("keepRaw adds to the _meta that is there, and replaces one that is not an object", () => {
  expect(keepRaw({ a: 1, _meta: { b: 2 } }, "status", "x")).toEqual({ a: 1, _meta: { b: 2, "editwire/status": "x" } });
  expect(keepRaw({ _meta: null }, "status", "x")).toEqual({ _meta: { "editwire/status": "x" } });
});
