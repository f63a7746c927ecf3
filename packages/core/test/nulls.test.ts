import { schemaFor } from "@editwire/core";
import { expect, test } from "vitest";
import * as z from "zod";
import { dropNulls } from "../src/nulls.js";
import { frozen } from "./support/frozen.js";

const inner = z.looseObject({ a: z.string().optional(), b: z.string() });
const schema = z.looseObject({
  required: z.string(),
  optional: z.string().optional(),
  nullable: z.string().nullable().optional(),
  any: z.unknown().optional(),
  inner: inner.optional(),
  list: z.array(inner).optional(),
  either: z
    .union([
      z.looseObject({ x: z.string(), y: z.string().optional() }),
      z.looseObject({ y: z.string(), x: z.string().optional() }),
    ])
    .optional(),
});

test.each([
  ["an optional one", { required: "r", optional: null }, { required: "r" }],
  [
    "one inside of an optional object",
    { required: "r", inner: { a: null, b: "b" } },
    { required: "r", inner: { b: "b" } },
  ],
  [
    "one inside of a list",
    { required: "r", list: [{ b: "b" }, { a: null, b: "c" }] },
    { required: "r", list: [{ b: "b" }, { b: "c" }] },
  ],
  ["one inside of a union", { required: "r", either: { x: null, y: "y" } }, { required: "r", either: { y: "y" } }],
  ["an optional object", { required: "r", inner: null, list: null, either: null }, { required: "r" }],
])("drops %s", (_, value, expected) => {
  expect(dropNulls(schema)(frozen(value))).toEqual(expected);
});

test.each([
  ["a required one", { required: null }],
  ["a required one inside", { required: "r", inner: { b: null } }],
  ["an item of a list", { required: "r", list: [null] }],
  ["a value that fits", { required: "r", nullable: null, any: null, unknown: null }],
  ["null itself", null],
  ["no object", 5],
])("leaves %s, and the value as it is", (_, value) => {
  expect(dropNulls(schema)(frozen(value))).toBe(value);
});

test("drops what it can beside what it cannot", () => {
  const change = dropNulls(schemaFor<unknown>()(z.unknown().check(() => {})));
  expect(change(null)).toBe(null);
  expect(dropNulls(schema)({ required: null, optional: null, any: null })).toEqual({ required: null, any: null });
});
