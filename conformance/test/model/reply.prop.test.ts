import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonPiecesOf, wordsOf } from "../../src/model/reply.js";
import { findToken, writeToken } from "../../src/model/token.js";

test("any text is split into pieces that join to it", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void expect(wordsOf(text).join("")).toBe(text)));
});

test("any arguments are streamed in pieces that join to their JSON", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
      expect(jsonPiecesOf({ id: "1", name: "tool", args }).join("")).toBe(JSON.stringify(args));
    }),
  );
});

test("any arguments of a behavior are found again, whatever stands around", () => {
  const around = fc.string().filter((text) => !text.includes("[[conf:"));
  fc.assert(
    fc.property(around, around, fc.dictionary(fc.string(), fc.jsonValue()), (before, after, args) => {
      const token = { name: "tool-ok", args: JSON.parse(JSON.stringify(args)) as Record<string, unknown> };
      expect(findToken(`${before}${writeToken(token)}${after}`)).toEqual(token);
    }),
  );
});
