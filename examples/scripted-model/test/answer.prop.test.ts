import fc from "fast-check";
import { expect, it } from "vitest";
import { chunksOf, wordsOf } from "../src/answer.js";

it("splits any text into pieces that join to it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(wordsOf(text).join("")).toBe(text);
    }),
  );
});

it("streams any arguments in pieces that join to their JSON", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.json()), (args) => {
      const chunks = chunksOf({ model: "m", messages: [{ role: "user", content: "Go" }] }, { calls: [{ name: "tool", args }] });
      const parts = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []).map((call) => call.function?.arguments ?? "");
      expect(parts.join("")).toBe(JSON.stringify(args));
    }),
  );
});
