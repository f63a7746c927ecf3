import { expect, test } from "vitest";
import { chain, mapField, mapItems } from "../src/rewrites.js";
import { frozen } from "./support/frozen.js";

const upper = (value: unknown): unknown => (typeof value === "string" ? value.toUpperCase() : value);

test("mapField copies the object only when the field changed", () => {
  const value = frozen({ a: "x", b: "Y" });
  expect(mapField(value, "a", upper)).toEqual({ a: "X", b: "Y" });
  expect(mapField(value, "b", upper)).toBe(value);
});

test.each([undefined, null, 1, "x", ["x"], {}, { a: undefined }])(
  "mapField leaves %j, which has no such field",
  (value) => {
    expect(mapField(value, "a", () => "changed")).toBe(value);
  },
);

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
