import { expect, test } from "vitest";
import * as z from "zod";
import { readNullLists } from "../src/null-lists.js";
import { frozen } from "./support/frozen.js";

const item = z.looseObject({ names: z.array(z.string()), tags: z.array(z.string()).optional() });
const schema = z.looseObject({
  items: z.array(item),
  text: z.string().optional(),
  either: z.union([z.array(z.string()), z.array(z.number())]).optional(),
  both: z.union([z.array(z.string()), z.looseObject({})]).optional(),
  any: z.unknown().optional(),
});
const read = readNullLists(schema);

test.each([
  ["one that is required", { items: null }, { items: [] }],
  [
    "one inside of another",
    { items: [{ names: null }, { names: ["a"] }] },
    { items: [{ names: [] }, { names: ["a"] }] },
  ],
  ["one that may be absent, which is left out", { items: [{ names: [], tags: null }] }, { items: [{ names: [] }] }],
  ["one of a union of lists", { items: [], either: null }, { items: [] }],
  ["several at once", { items: [{ names: null, tags: null }], either: null }, { items: [{ names: [] }] }],
])("reads %s", (_, value, expected) => {
  expect(read(frozen(value))).toEqual(expected);
});

test.each([
  ["a field of another type", { items: [], text: null }],
  ["a field that may also be an object", { items: [], both: null }],
  ["an element of a list", { items: [null] }],
  ["a value that fits", { items: [], any: null, unknown: null }],
  ["null itself", null],
])("leaves %s as it is", (_, value) => {
  expect(read(frozen(value))).toBe(value);
});

test("takes time in proportion to the length of the message", () => {
  const many = { items: Array.from({ length: 5_000 }, () => ({ names: null })) };
  const started = performance.now();
  expect(read(many)).toMatchObject({ items: expect.arrayContaining([{ names: [] }]) });
  expect(performance.now() - started).toBeLessThan(5_000);
});
