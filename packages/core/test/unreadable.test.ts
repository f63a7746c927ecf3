import { expect, test } from "vitest";
import * as z from "zod";
import { dropUnreadable } from "../src/unreadable.js";
import { frozen } from "./support/frozen.js";

const inner = z.looseObject({ name: z.string(), tags: z.array(z.string()).optional() });
const schema = z.looseObject({ title: z.string(), list: z.array(inner), one: inner.optional() });

test.each([
  ["an element", { title: "t", list: [{ name: "a" }, 7, { name: 8 }, null] }, { title: "t", list: [{ name: "a" }] }],
  [
    "an element of the innermost list",
    { title: "t", list: [{ name: "a", tags: ["x", 7] }], one: { name: "b", tags: [[]] } },
    { title: "t", list: [{ name: "a", tags: ["x"] }], one: { name: "b", tags: [] } },
  ],
  ["all that there are", { title: "t", list: [7, 8] }, { title: "t", list: [] }],
])("drops %s", (_, value, expected) => {
  expect(dropUnreadable(schema)(frozen(value))).toEqual(expected);
});

test.each([
  ["a value that fits", { title: "t", list: [{ name: "a" }] }],
  ["a fault outside of a list", { title: 7, list: [{ name: 8 }] }],
  ["an object in place of a list", { title: "t", list: { name: "a" } }],
  ["no object", 5],
])("leaves %s as it is", (_, value) => {
  expect(dropUnreadable(schema)(frozen(value))).toBe(value);
});

test("keeps a key that is called like a prototype's", () => {
  const value = JSON.parse(`{"title":"t","list":[7],"__proto__":{"x":1}}`) as object;
  expect(Object.keys(dropUnreadable(schema)(value) as object)).toEqual(["title", "list", "__proto__"]);
});
