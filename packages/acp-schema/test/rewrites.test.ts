import { expect, test } from "vitest";
import { chain, keepRaw, mapField, mapItems } from "../src/rewrites.js";
import { frozen } from "./support/fixtures.js";

const upper = (value: unknown): unknown => (typeof value === "string" ? value.toUpperCase() : value);

test("mapField copies the object only when the field changed", () => {
  const value = frozen({ a: "x", b: "Y" });
  expect(mapField(value, "a", upper)).toEqual({ a: "X", b: "Y" });
  expect(mapField(value, "b", upper)).toBe(value);
});

test.each([undefined, null, 1, "x", ["x"], {}, { a: undefined }])("mapField leaves %j, which has no such field", (value) => {
  expect(mapField(value, "a", () => "changed")).toBe(value);
});

test("mapItems copies the array only when an item changed", () => {
  const value = frozen(["A", "b", "C"]);
  expect(mapItems(value, upper)).toEqual(["A", "B", "C"]);
  const same = frozen(["A"]);
  expect(mapItems(same, upper)).toBe(same);
  expect(mapItems("ab", upper)).toBe("ab");
});

test("chain applies its changes in order", () => {
  expect(chain(upper, (value) => `${String(value)}!`)("a")).toBe("A!");
});

test("keepRaw adds to the _meta that is there, and replaces one that is none", () => {
  expect(keepRaw({ a: 1, _meta: { b: 2 } }, "status", "x")).toEqual({ a: 1, _meta: { b: 2, "editwire/status": "x" } });
  expect(keepRaw({ _meta: null }, "status", "x")).toEqual({ _meta: { "editwire/status": "x" } });
});
