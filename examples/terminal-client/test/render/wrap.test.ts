import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createWrapper } from "../../src/render/wrap.js";

function wrap(columns: number, ...chunks: string[]): string {
  const wrapper = createWrapper(() => columns);
  return chunks.map((chunk) => wrapper.push(chunk)).join("") + wrapper.end();
}

describe("createWrapper", () => {
  test("breaks between words, also those that come in pieces", () => {
    const chunks = ["The implementation of the other", " imple", "mentation is", " here."];
    expect(wrap(30, ...chunks)).toBe("The implementation of the\nother implementation is here.");
  });

  test("counts cells, not characters", () => {
    expect(wrap(10, "日本 語日 本語")).toBe("日本 語日\n本語");
  });

  test("keeps the text's own lines and their indentation", () => {
    expect(wrap(30, "- one\n", "  - two\n\n", "three")).toBe("- one\n  - two\n\nthree");
  });

  test("leaves fenced code alone", () => {
    const code = "```js\nconst aLongName = anotherLongName + aThirdLongName;\n```\n";
    expect(wrap(30, code, "some words that are too long for a line")).toBe(
      `${code}some words that are too long\nfor a line`,
    );
  });

  test("cannot break a word that is longer than a line", () => {
    expect(wrap(30, "x".repeat(50), " y")).toBe(`${"x".repeat(50)}\ny`);
  });

  test("shows a word at once where it cannot reach the margin", () => {
    const wrapper = createWrapper(() => 80);
    expect(wrapper.push("Wait")).toBe("Wait");
    expect(wrapper.push("ing.")).toBe("ing.");
    expect(createWrapper(() => Number.POSITIVE_INFINITY).push("x ".repeat(1000) + "end")).toMatch(/end$/);
  });

  test("changes nothing but the spaces", () => {
    const text = fc.array(fc.string({ unit: fc.constantFrom("a", "bc", " ", "\n", "`", "日") }));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (chunks, columns) => {
        expect(wrap(columns, ...chunks).replace(/\s+/g, "")).toBe(chunks.join("").replace(/\s+/g, ""));
      }),
    );
  });
});
