import { defineProtocol, request, validatorOf } from "@editwire/core";
import { expect, test } from "vitest";
import * as z from "zod";
import { malformations } from "../../src/generate/malformed.js";

const table = defineProtocol({
  name: "toy",
  version: "1",
  roles: ["client", "server"],
  methods: {
    put: request({
      from: "client",
      params: z.looseObject({ key: z.string(), value: z.unknown().optional(), count: z.int().optional() }),
      result: z.unknown(),
    }),
    any: request({ from: "client", params: z.looseObject({}), result: z.unknown() }),
  },
});

const fits =
  (method: "put" | "any") =>
  (params: unknown): boolean =>
    validatorOf(table.methods[method].params).fits(params);

test("wrong params are those that the schema refuses, each in one way", () => {
  const found = malformations(fits("put"), { key: "k", count: 1 });
  expect(found.map(({ name }) => name)).toEqual([
    "params-absent",
    "params-null",
    "params-boolean",
    "params-number",
    "params-string",
    "params-array",
    "key-missing",
    "key-null",
    "key-boolean",
    "key-number",
    "key-array",
    "key-object",
  ]);
  const made = Object.fromEntries(found.map(({ name, apply }) => [name, apply({ key: "x", count: 2 })]));
  expect(made).toMatchObject({
    "params-absent": {},
    "params-array": { params: [] },
    "key-missing": { params: { count: 2 } },
    "key-null": { params: { key: null, count: 2 } },
  });
});

test("a method that needs nothing has no wrong params", () => {
  expect(malformations(fits("any"), {})).toEqual([]);
});

test("a sample that is wrong itself is a bug of the suite", () => {
  expect(() => malformations(fits("put"), { key: 1 })).toThrow(TypeError);
});
