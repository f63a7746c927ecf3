import { appendArguments } from "@editwire/eca-schema";
import fc from "fast-check";
import { expect, test } from "vitest";

test.each([
  ["whole texts", ["", '{"a"', '{"a":1}'], '{"a":1}'],
  ["pieces", ["", '{"a"', ":1}"], '{"a":1}'],
  ["one text", ['{"a":1}'], '{"a":1}'],
  ["one text twice", ['{"a":1}', '{"a":1}'], '{"a":1}'],
])("argumentsText as %s (A31, C10)", (_, texts, whole) => {
  expect(texts.reduce(appendArguments, "")).toBe(whole);
});

test("the whole texts of any JSON end as the JSON", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.nat()), (value, cuts) => {
      const whole = JSON.stringify(value);
      const ends = [...cuts.map((cut) => cut % whole.length), whole.length].sort((a, b) => a - b);
      expect(ends.map((end) => whole.slice(0, end)).reduce(appendArguments, "")).toBe(whole);
    }),
    { numRuns: 50 },
  );
});
